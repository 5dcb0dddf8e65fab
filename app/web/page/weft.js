// The page around the program: loads it, hands it files, and shows what it tells (app/src/page.rs).
"use strict";

(() => {
    const $ = (id) => document.getElementById(id);
    const canvas = $("glcanvas");
    const encoder = new TextEncoder();
    const decoder = new TextDecoder();

    /** Bytes of a file that may be dropped. */
    const LARGEST_DROP = 64 << 20;
    /** Frames that a link may ask to be computed, and how many of them between two pictures. */
    const LONGEST_LINK = 3600;
    const FRAMES_AT_ONCE = 20;
    /** Characters of a link, and bytes of the scene in it. */
    const LARGEST_LINK = 1 << 20;
    const LARGEST_SCENE = 4 << 20;
    /** Of WebGL: depth, and depth for 16-bit, 32-bit and floating point numbers. */
    const DEPTH = 0x1902;
    const DEPTHS = { 0x1403: 0x81a5, 0x1405: 0x81a6, 0x1406: 0x8cac };
    /** Depth of 32 bits, which WebGL has as floating point numbers alone. */
    const DEPTH_32 = 0x81a7;
    /** Width by height of a picture that shows all that its scene's camera was set for. */
    const NARROW = 1.2;
    /** Threads that a page starts at most, and the stack of each [bytes]. */
    const MOST_THREADS = 8;
    const STACK = 1 << 20;
    /** How long a line stays [ms]. */
    const NEWS_FOR = { good: 3500, bad: 9000 };

    /** What is known of the program, and of the files that came with it. */
    const weft = { ready: false, list: { scenes: [], files: [] }, texts: new Map(), scene: null, lines: [] };
    const waiting = { hash: [], link: [] };
    // For tests, and for those who write pages of their own.
    window.weft = weft;

    // --- what the program is handed and tells ------------------------------------------------------------------------

    function hand(bytes) {
        const room = wasm_exports.weft_room(bytes.length);
        new Uint8Array(wasm_memory.buffer, room, bytes.length).set(bytes);
    }

    /** Writes a file that the program reads; it sees the save. */
    function put(path, content) {
        const bytes = typeof content === "string" ? encoder.encode(content) : content;
        const name = encoder.encode(path);
        const all = new Uint8Array(name.length + bytes.length);
        all.set(name);
        all.set(bytes, name.length);
        hand(all);
        wasm_exports.weft_put(name.length);
        if (typeof content === "string") weft.texts.set(path, content);
    }

    function ask(what) {
        hand(encoder.encode(JSON.stringify(what)));
        wasm_exports.weft_ask();
    }

    /** Asks, and waits for the answer of this kind. */
    function answer(kind, what) {
        return new Promise((resolve) => {
            waiting[kind].push(resolve);
            ask(what);
        });
    }

    const told = {
        scene(scene) {
            const other = weft.scene?.path !== scene.path;
            weft.scene = scene;
            if (other && !weft.link) fit();
            weft.texts.set(scene.path, scene.text);
            $("title").textContent = scene.title;
            document.title = `Weft: ${scene.title}`;
            listFiles();
        },
        notice({ kind, text, good }) {
            // All others are in the panel.
            if (kind === "start" && !good) stop(`Weft cannot start: ${text}`, true);
            if (kind === "state" && !good) news(text, false);
        },
        problems(list) {
            weft.problems = list;
            const box = $("problems");
            box.hidden = list.length === 0;
            box.textContent = list.map(([what, text]) => `${what}: ${text}`).join("\n\n");
        },
        hash: (hash) => waiting.hash.shift()?.(hash),
        link: (link) => waiting.link.shift()?.(link),
    };

    /** A copy: what is shared is neither decoded nor kept. */
    const copy = (pointer, bytes) => new Uint8Array(wasm_memory.buffer, pointer, bytes).slice();

    const text = (pointer, bytes) => decoder.decode(copy(pointer, bytes));

    function line(text, warning) {
        weft.lines.push(text);
        weft.lines.splice(0, weft.lines.length - 200);
        (warning ? console.warn : console.log)(text);
        if (warning && text.includes("panicked at") && (!weft.ready || weft.stopped))
            stop(`${weft.ready ? "The program ended" : "Weft cannot start"}: ${text}`, true);
    }

    miniquad_add_plugin({
        name: "weft",
        version: 1,
        register_plugin(imports) {
            // Finer than the whole milliseconds of `Date`.
            imports.env.now = () => (performance.timeOrigin + performance.now()) / 1000;
            // WebGL takes formats of depth with their size only.
            const upload = imports.env.glTexImage2D;
            imports.env.glTexImage2D = (target, level, inner, width, height, border, format, type, pixels) =>
                upload(target, level, inner === DEPTH ? DEPTHS[type] : inner, width, height, border, format, type, pixels);
            const room = imports.env.glRenderbufferStorageMultisample;
            imports.env.glRenderbufferStorageMultisample = (target, samples, inner, width, height) =>
                room(target, samples, inner === DEPTH_32 ? DEPTHS[0x1406] : inner, width, height);
            imports.env.weft_software_gl = () => weft.software;
            imports.env.weft_line = (pointer, bytes, warning) => line(text(pointer, bytes), warning);
            imports.env.weft_keep = (name, length, content, bytes) => keep(text(name, length), new Blob([copy(content, bytes)]));
            imports.env.weft_keep_picture = (name, length, pixels, bytes, width) =>
                keepPicture(text(name, length), new ImageData(new Uint8ClampedArray(copy(pixels, bytes).buffer), width));
            imports.env.weft_tell = (pointer, bytes) => {
                const [kind, content] = Object.entries(JSON.parse(text(pointer, bytes)))[0];
                told[kind](content);
            };
        },
        on_init() {
            for (const [path, content] of weft.first) put(path, content);
            weft.first = null;
            ask({ open: weft.path });
            // Its frames are counted from the first.
            if (weft.link) ask({ pause: true });
        },
    });

    function news(line, good) {
        const entry = document.createElement("p");
        entry.className = good ? "good" : "bad";
        entry.textContent = line.split("\n")[0];
        const all = $("news");
        all.append(entry);
        while (all.children.length > 3) all.firstChild.remove();
        setTimeout(() => entry.remove(), good ? NEWS_FOR.good : NEWS_FOR.bad);
    }

    // --- the start ---------------------------------------------------------------------------------------------------

    /** Says why nothing runs; there is no way on but a new start. */
    function stop(sentence, again) {
        weft.stopped = sentence;
        $("start").hidden = false;
        $("doing").textContent = sentence;
        $("progress").hidden = true;
        if (again && !$("again")) {
            const button = document.createElement("button");
            button.id = "again";
            button.textContent = "Start again";
            button.onclick = () => {
                // A link that cannot be opened would be met again.
                if (!weft.ready) history.replaceState(null, "", location.pathname + location.search);
                location.reload();
            };
            $("start").append(button);
        }
    }

    async function fetched(path, progress) {
        const response = await fetch(path);
        if (!response.ok) throw new Error(`${path}: ${response.status} ${response.statusText}`);
        if (!progress || !response.body) return new Uint8Array(await response.arrayBuffer());
        // Compressed on the way: what comes out is counted against what the list says.
        const reader = response.body.getReader();
        const parts = [];
        let bytes = 0;
        for (;;) {
            const { done, value } = await reader.read();
            if (done) break;
            parts.push(value);
            bytes += value.length;
            progress(bytes);
        }
        return new Uint8Array(await new Blob(parts).arrayBuffer());
    }

    /** Files of a scene that are not here yet. */
    async function bring(paths) {
        const missing = paths.filter((path) => !weft.texts.has(path));
        return Promise.all(
            missing.map(async (path) => {
                const bytes = await fetched(path);
                weft.texts.set(path, /\.(ron|wgsl|obj)$/.test(path) ? decoder.decode(bytes) : "");
                return [path, bytes];
            }),
        );
    }

    const needs = (path) => weft.list.scenes.find((scene) => scene.path === path)?.needs ?? [];

    async function start() {
        if (typeof WebAssembly !== "object") return stop("This browser has no WebAssembly; any of the last years has.");
        const graphics = document.createElement("canvas").getContext("webgl2");
        if (!graphics)
            return stop("This browser draws no WebGL 2: allow graphics acceleration in its settings, or take another one.");
        const named = graphics.getExtension("WEBGL_debug_renderer_info")?.UNMASKED_RENDERER_WEBGL;
        weft.software = /swiftshader|llvmpipe|software|basic render/i.test(graphics.getParameter(named ?? graphics.RENDERER));
        graphics.getExtension("WEBGL_lose_context")?.loseContext();
        const context = canvas.getContext.bind(canvas);
        canvas.getContext = (kind) => context(kind, { antialias: !weft.software, powerPreference: "high-performance" });
        let link = await linked();
        weft.list = JSON.parse(decoder.decode(await fetched("files.json")));
        const lacks = link ? missing(link.scene) : [];
        if (lacks.length) {
            weft.unread = `This link's scene needs ${lacks.join(", ")}, which is not in it. The first scene runs instead.`;
            link = null;
        }
        weft.link = link;
        const known = weft.list.scenes.map((scene) => scene.path);
        weft.path = link?.path ?? "scenes/flag.ron";
        // All scenes are small; of meshes and textures those of the first one.
        const files = bring([...new Set([...known, ...needs(weft.path)])]);
        const program = fetched("weft.wasm", (bytes) => ($("progress").value = bytes / weft.list.program));
        weft.first = await files;
        if (link) weft.first.push([link.path, encoder.encode(link.scene)]);
        const bytes = await program;
        $("doing").textContent = "Starting";
        await begin(bytes);
        await drawn();
        weft.ready = true;
        $("start").hidden = true;
        canvas.focus();
        window.ondrop = dropped;
        // Said when somebody can see it.
        if (weft.unread) news(weft.unread, false);
        if (link) await replay(link);
        weft.link = null;
        // What the other scenes need comes while this one runs.
        for (const [path, bytes] of await bring(weft.list.files)) put(path, bytes);
    }

    /**
     * Where memory may be shared (`weft web --serve` says so to the browser) one for each core but the one that draws: threads
     * that wait for each other on busy cores are slower than one. `?threads=N` asks for so many.
     */
    function threadsWanted() {
        const asked = Number(new URLSearchParams(location.search).get("threads"));
        const count = asked >= 1 ? Math.floor(asked) : Math.max((navigator.hardwareConcurrency || 1) - 1, 1);
        return window.crossOriginIsolated && weft.list.memory ? Math.min(count, MOST_THREADS) : 1;
    }

    /** The program's memory, if it does not bring its own: not shared, one byte of the program is another one. */
    function memoryFor(bytes, shared) {
        if (!weft.list.memory) return null;
        const { shared_at, initial, maximum } = weft.list.memory;
        if (shared) {
            try {
                return new WebAssembly.Memory({ initial, maximum, shared });
            } catch (error) {
                console.warn(`one thread, since memory cannot be shared: ${error.message}`);
            }
        }
        bytes[shared_at] = 1;
        return new WebAssembly.Memory({ initial, maximum });
    }

    /** Workers for the solver's loops, each with a stack of its own; its thread-local values lie below. */
    function hire(module, memory, count) {
        const { __tls_size: size, __tls_align: align, weft_worker } = wasm_exports;
        for (let index = 0; index < count; index += 1) {
            const bytes = STACK + Math.ceil((size.value + align.value) / 16) * 16;
            const room = weft_worker(bytes);
            const worker = new Worker("worker.js");
            worker.onmessage = ({ data }) => line(data.text, data.warning);
            worker.onerror = (event) => line(`a thread ended: ${event.message ?? "its script cannot be loaded"}`, true);
            const tls = Math.ceil(room / align.value) * align.value;
            worker.postMessage({ module, memory, index, tls, stack: room + bytes });
        }
    }

    /** As `load` of gl.js, which tells nobody what went wrong. */
    async function begin(bytes) {
        register_plugins(plugins);
        const count = threadsWanted();
        const memory = memoryFor(bytes, count > 1);
        if (memory) importObject.env.memory = memory;
        const module = await WebAssembly.compile(bytes);
        add_missing_functions_stabs(module);
        const instance = await WebAssembly.instantiate(module, importObject);
        wasm_memory = memory ?? instance.exports.memory;
        wasm_exports = instance.exports;
        if (wasm_exports.crate_version() !== version) throw new Error("gl.js is of another version than the program");
        init_plugins(plugins);
        const shared = memory && !(memory.buffer instanceof ArrayBuffer);
        weft.threads = shared ? count : 1;
        if (shared) hire(module, memory, count - 1);
        $("title").title = weft.threads > 1 ? `${weft.threads} threads` : "one thread";
        wasm_exports.main();
    }

    /** The first picture. */
    function drawn() {
        return new Promise((resolve) => {
            const look = () => (weft.scene ? requestAnimationFrame(resolve) : setTimeout(look, 10));
            look();
        });
    }

    window.addEventListener("error", (event) => {
        const panic = weft.lines.findLast((line) => line.includes("panicked"));
        stop(`The program ended: ${panic ?? event.message}`, true);
    });
    window.addEventListener("unhandledrejection", (event) => {
        if (!weft.ready) stop(`Weft cannot be loaded: ${event.reason?.message ?? event.reason}`, true);
        else news(String(event.reason?.message ?? event.reason), false);
    });
    canvas.addEventListener("webglcontextlost", (event) => {
        event.preventDefault();
        // miniquad's loop would go on to draw what the new graphics do not have.
        cancelAnimationFrame(animation_frame_timeout);
        stop("The browser took the graphics away. The scene starts again when they are back.", true);
    });
    canvas.addEventListener("webglcontextrestored", () => location.reload());
    new ResizeObserver(() => window.dispatchEvent(new Event("resize"))).observe(canvas);

    // --- links -------------------------------------------------------------------------------------------------------

    async function through(stream, bytes, most) {
        const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
        const parts = [];
        let size = 0;
        for (;;) {
            const { done, value } = await reader.read();
            if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
            size += value.length;
            if (size > most) throw new Error("it is too large");
            parts.push(value);
        }
    }

    /** What the link to this page holds; nothing, and a line that says so, where that cannot be read. */
    async function linked() {
        const code = location.hash.slice(1);
        if (!code) return null;
        try {
            if (code.length > LARGEST_LINK) throw new Error("it is too long");
            const bytes = Uint8Array.from(atob(code.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
            const plain = await through(new DecompressionStream("deflate-raw"), bytes, LARGEST_SCENE);
            const link = JSON.parse(decoder.decode(plain));
            const frames = Number.isInteger(link.frame) && link.frame >= 0 && link.frame <= LONGEST_LINK;
            const camera = Array.isArray(link.camera) && link.camera.length === 7 && link.camera.every(Number.isFinite);
            const path = /^scenes\/[^/\\]+\.ron$/.test(link.path);
            if (!frames || !camera || !path || typeof link.scene !== "string") throw new Error("a part of it is missing");
            return link;
        } catch (error) {
            weft.unread = `This link cannot be read: ${error.message.replace(/\.$/, "")}. The first scene runs instead.`;
            return null;
        }
    }

    /** Meshes, hair and parts that a scene names and the page does not have: a link holds no files, and who opens it has not dropped them. */
    function missing(scene) {
        const here = new Set([...weft.list.files, ...weft.list.scenes.map(({ path }) => path)]);
        const named = [];
        // Strings, but for words to read; what stands in a comment is none.
        for (const { 0: part, index } of scene.matchAll(/"(?:[^"\\]|\\.)*"|\/\/.*|\/\*[\s\S]*?\*\//g)) {
            const words = /\b(?:title|doc|id)\s*:\s*$/.test(scene.slice(Math.max(index - 99, 0), index));
            if (!words && /^".+\.(?:obj|hair|ron)"$/i.test(part)) named.push(part.slice(1, -1));
        }
        return [...new Set(named)].filter((name) => !here.has(`scenes/${name}`));
    }

    async function replay(link) {
        if (weft.scene.text !== link.scene) return;
        for (let left = link.frame; left > 0; left -= FRAMES_AT_ONCE) {
            const frames = Math.min(left, FRAMES_AT_ONCE);
            weft.hash = await answer("hash", { steps: frames });
            news(`frame ${weft.hash.frame} of ${link.frame}`, true);
        }
        ask({ camera: link.camera });
        weft.replayed = true;
    }

    async function share() {
        const link = await answer("link", "link");
        const lacks = missing(link.scene);
        if (lacks.length) {
            news(`no link can hold ${lacks.join(", ")}: send it with the scene (Save), both are dropped on a page together`, false);
            return null;
        }
        if (link.frame > LONGEST_LINK) {
            link.frame = 0;
            news(`a link goes up to frame ${LONGEST_LINK}: this one starts the scene`, false);
        }
        // Three bytes are four letters of the link.
        const most = (LARGEST_LINK / 4) * 3;
        const packed = await through(new CompressionStream("deflate-raw"), encoder.encode(JSON.stringify(link)), most).catch(() => null);
        if (!packed) {
            news(`no link can hold this scene, which is more than ${most >> 10} KiB packed: send its file (Save)`, false);
            return null;
        }
        const code = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
        history.replaceState(null, "", `#${code}`);
        try {
            await navigator.clipboard.writeText(location.href);
            news("the link is in the clipboard; the hand's pulls are not in it", true);
        } catch {
            news("the link is in the address bar; the hand's pulls are not in it", true);
        }
        return location.href;
    }

    /** Steps back from a scene where the picture is narrower than its camera was set for. */
    async function fit() {
        const aspect = canvas.clientWidth / Math.max(canvas.clientHeight, 1);
        if (aspect >= NARROW) return;
        const { camera } = await answer("link", "link");
        camera[3] *= NARROW / aspect;
        ask({ camera });
    }

    // --- scenes ------------------------------------------------------------------------------------------------------

    async function open(path) {
        for (const [file, bytes] of await bring(needs(path))) put(file, bytes);
        ask({ open: path });
    }

    function shelve() {
        $("list").replaceChildren(
            ...weft.list.scenes.map((scene, index) => {
                const button = document.createElement("button");
                const picture = document.createElement(scene.picture ? "img" : "div");
                if (scene.picture) Object.assign(picture, { src: scene.picture, alt: "", loading: "lazy" });
                else picture.className = "blank";
                const title = document.createElement("span");
                title.textContent = scene.title;
                const key = document.createElement("span");
                key.className = "key";
                key.textContent = index < 9 ? `key ${index + 1}` : "";
                button.append(picture, title, key);
                button.title = scene.doc;
                button.onclick = () => {
                    toggle("scenes", "shelf", false);
                    open(scene.path).catch((error) => news(error.message, false));
                    canvas.focus();
                };
                return button;
            }),
        );
    }

    function toggle(button, part, shown = $(part).hidden) {
        $(part).hidden = !shown;
        $(button).setAttribute("aria-expanded", shown);
    }

    // --- the editor --------------------------------------------------------------------------------------------------

    // What was typed and not run yet, by file: it stays whatever else is chosen, and whatever comes of the scene meanwhile.
    const drafts = new Map();

    function listFiles() {
        const select = $("file");
        const chosen = select.value;
        const shaders = weft.list.shaders ?? [];
        const files = [weft.scene.path, ...shaders];
        select.replaceChildren(...files.map((path) => new Option(path.replace(/^.*\//, ""), path)));
        select.value = shaders.includes(chosen) ? chosen : weft.scene.path;
        if (select.value === weft.scene.path) show();
    }

    async function show() {
        const path = $("file").value;
        await bring([path]);
        if ($("file").value === path) $("text").value = drafts.get(path) ?? weft.texts.get(path);
    }

    function run() {
        drafts.delete($("file").value);
        put($("file").value, $("text").value);
    }

    $("text").addEventListener("input", () => drafts.set($("file").value, $("text").value));

    $("text").addEventListener("keydown", (event) => {
        if (event.key === "s" && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            run();
        } else if (event.key === "Tab" && !event.shiftKey) {
            event.preventDefault();
            document.execCommand("insertText", false, "    ");
        } else if (event.key === "Escape") {
            canvas.focus();
        }
    });
    // The program takes the clipboard of the whole page.
    for (const kind of ["copy", "cut", "paste"]) $("text").addEventListener(kind, (event) => event.stopPropagation());

    // --- files in and out --------------------------------------------------------------------------------------------

    function keep(name, blob) {
        const link = document.createElement("a");
        link.href = URL.createObjectURL(blob);
        link.download = name;
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    }

    function keepPicture(name, pixels) {
        const paper = document.createElement("canvas");
        [paper.width, paper.height] = [pixels.width, pixels.height];
        paper.getContext("2d").putImageData(pixels, 0, 0);
        paper.toBlob((blob) => keep(name, blob));
    }

    const stem = () => weft.scene.path.replace(/^.*\/|\.ron$/g, "");

    const saveScene = () => keep(`${stem()}.ron`, new Blob([weft.texts.get(weft.scene.path)], { type: "text/plain" }));

    /** A scene for a mesh alone: one cloth of a metre and a half that falls on the ground. */
    function sceneOf(name, text) {
        const low = [Infinity, Infinity, Infinity];
        const high = [-Infinity, -Infinity, -Infinity];
        for (const [, ...corner] of text.matchAll(/^v\s+(\S+)\s+(\S+)\s+(\S+)/gm))
            corner.map(Number).forEach((value, axis) => {
                low[axis] = Math.min(low[axis], value);
                high[axis] = Math.max(high[axis], value);
            });
        const extent = Math.max(...high.map((value, axis) => value - low[axis]));
        if (!(extent > 0 && extent < Infinity)) throw new Error(`${name}: it has no vertices, lines such as \`v 0 1 0\``);
        const scale = 1.5 / extent;
        const at = [-(low[0] + high[0]) / 2, 0.5 / scale - low[1], -(low[2] + high[2]) / 2].map((v) => (v * scale).toFixed(4));
        return `Scene(
    version: 1,
    title: ${JSON.stringify(name)},
    cloths: [
        Cloth(
            id: "mesh",
            shape: Mesh(file: ${JSON.stringify(name)}, scale: ${scale.toPrecision(6)}),
            at: (${at.join(", ")}),
        ),
    ],
)
`;
    }

    async function dropped(event) {
        event.preventDefault();
        await take([...event.dataTransfer.files]);
    }

    async function take(files) {
        const large = files.find((file) => file.size > LARGEST_DROP);
        if (large) return news(`${large.name}: at most ${LARGEST_DROP >> 20} MB can be opened`, false);
        const strange = files.find((file) => !/\.(ron|obj|png|jpe?g|weft)$/i.test(file.name));
        if (strange)
            return news(`${strange.name}: a scene (.ron), mesh (.obj), texture (.png, .jpg) or state (.weft) can be opened`, false);
        const ends = (file, end) => file.name.toLowerCase().endsWith(end);
        // Of several the one that no other names runs. It comes last: what it names is there then.
        const scenes = files.filter((file) => ends(file, ".ron"));
        const texts = new Map(await Promise.all(scenes.map(async (file) => [file, await file.text()])));
        const isPart = (file) => scenes.some((other) => other !== file && texts.get(other).includes(`"${file.name}"`));
        const scene = scenes.find((file) => !isPart(file)) ?? scenes[0];
        files.sort((a, b) => (a === scene) - (b === scene));
        for (const file of files) {
            const bytes = new Uint8Array(await file.arrayBuffer());
            if (ends(file, ".weft")) {
                // Letters that names of states have.
                const name = file.name.replace(/\.weft$/i, "").replace(/[^\p{L}\p{N}_. -]|^[. ]+/gu, "-").slice(0, 64);
                put(`recordings/states/${name}.weft`, bytes);
                ask({ load_state: name });
                continue;
            }
            const path = `scenes/${file.name}`;
            if (/\.(ron|obj)$/i.test(file.name)) put(path, decoder.decode(bytes));
            else put(path, bytes);
            if (ends(file, ".obj") && !scene) {
                const made = path.replace(/\.obj$/i, ".ron");
                try {
                    put(made, sceneOf(file.name, decoder.decode(bytes)));
                } catch (error) {
                    news(error.message, false);
                    continue;
                }
                ask({ open: made });
            } else if (file === scene) {
                ask({ open: path });
            } else if (!scene && !ends(file, ".obj")) {
                ask({ texture: file.name });
            }
        }
    }
    const isScene = (text) => /^\s*(\/\/.*\s+)*(Scene)?\s*\(\s*version:/.test(text);
    const isMesh = (text) => /^v\s+[-\d.]+\s+[-\d.]+\s+[-\d.]+/m.test(text) && /^f\s+\d/m.test(text);

    /** A scene, mesh or picture in the clipboard runs, unless it is pasted into the editor; what else is pasted is the panel's. */
    function pasted(event) {
        if (event.target === $("text") || !weft.ready || !event.clipboardData) return;
        const text = event.clipboardData.getData("text");
        const files = [...event.clipboardData.files];
        if (isScene(text)) files.push(new File([text], "pasted.ron"));
        else if (isMesh(text)) files.push(new File([text], "pasted.obj"));
        if (!files.length) return;
        event.stopImmediatePropagation();
        event.preventDefault();
        take(files);
    }
    window.addEventListener("paste", pasted, true);
    Object.assign(weft, { put, ask, answer, open, share, take });

    $("scenes").onclick = () => {
        shelve();
        toggle("scenes", "shelf");
    };
    $("open").onclick = () => $("files").click();
    $("files").onchange = async ({ target }) => {
        toggle("scenes", "shelf", false);
        await take([...target.files]);
        // The same one may be opened again.
        target.value = "";
        canvas.focus();
    };
    $("edit").onclick = () => {
        toggle("edit", "editor");
        show();
    };
    $("file").onchange = show;
    $("run").onclick = run;
    $("share").onclick = share;
    $("save-picture").onclick = () => ask("picture");
    $("save-state").onclick = () => ask("state");
    $("save-mesh").onclick = () => ask("mesh");
    $("save-scene").onclick = saveScene;
    $("save").querySelector("menu").addEventListener("click", () => ($("save").open = false));
    $("full").onclick = () => (document.fullscreenElement ? document.exitFullscreen() : document.body.requestFullscreen());
    start();
})();
