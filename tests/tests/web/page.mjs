// What a person does with the page, in a real browser: node page.mjs EXPECTED.json FOLDER (see checks.mjs)
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";

import { check, expected, finish, out } from "./checks.mjs";
import { SCALE, browser, enlarge, news, opened, run, shrink, small, solve, steps } from "./chromium.mjs";
import { trouble } from "./trouble.mjs";

/** All that a page loads before its first picture, but for meshes and textures, as it travels [bytes]. */
// 2.5 are wanted.
const LARGEST_LOAD = 2.63e6;
let loaded = 0;
const begin = Date.now();
const { page, errors } = await opened("", {}, null, async (route) => {
    const response = await route.fetch();
    const { "content-length": bytes, "content-encoding": encoding } = response.headers();
    if (!/\/(textures|meshes|pictures)\//.test(route.request().url())) {
        loaded += Number(bytes);
        if (encoding !== "gzip") console.log(`     not compressed: ${route.request().url()}`);
    }
    await route.fulfill({ response });
});
console.log(`     first picture ${Date.now() - begin} ms after the address`);
// The ordinary run compiles a larger page, in less time (tests/run).
const most = expected.long ? LARGEST_LOAD : 3.16e6;
check(loaded > 1e6 && loaded <= most, `it loads ${(loaded / 1e6).toFixed(2)} MB before it (at most ${most / 1e6})`);
check(!(await page.evaluate("weft.stopped")), "the page starts");
await page.waitForTimeout(1000);
await page.screenshot({ path: path.join(out, "desktop.png") });

// --- the same numbers ----------------------------------------------------------------------------------------------
/** Of a step here by one of the program. */
const SLOWEST = 2;
const times = [];
await shrink(page);
for (const { path: file, text, hashes } of expected.scenes) {
    await run(page, file, text);
    for (const [solver, [frames, hash, native]] of Object.entries(hashes)) {
        await solve(page, solver);
        const answer = await steps(page, frames);
        let { ms } = answer;
        // What a neighbour took of the processor is not the step's.
        for (let again = 0; ms > SLOWEST * native && again < 3; again += 1) {
            await page.evaluate(() => weft.ask("reset"));
            ms = Math.min(ms, (await steps(page, frames)).ms);
        }
        times.push([file, solver, ms, native]);
        check(answer.frame === frames && answer.hash === hash, `${file} ${solver}: ${answer.hash} at frame ${answer.frame}`);
    }
}
fs.writeFileSync(path.join(out, "times.csv"), ["scene,solver,page_ms,native_ms", ...times.map((row) => row.join(","))].join("\n") + "\n");
const ratios = times.map(([, , ms, native]) => ms / native).sort((a, b) => a - b);
const [middle, worst] = [ratios[ratios.length >> 1], ratios.at(-1)];
check(middle <= SLOWEST, `a step takes ${middle.toFixed(2)} times as long as natively (median), ${worst.toFixed(2)} at most`);

// --- threads -------------------------------------------------------------------------------------------------------
/** Hashes of the large scene on the threads that a page has, and its times. */
async function large(page, threads) {
    const { path: file, text, hashes } = expected.large;
    await run(page, file, text);
    const all = [];
    for (const [solver, [frames, hash]] of Object.entries(hashes)) {
        await solve(page, solver);
        const answer = await steps(page, frames);
        all.push(answer.ms);
        check(answer.threads === threads && answer.hash === hash, `${solver} on ${answer.threads} thread(s): ${answer.hash}`);
    }
    return all;
}
const two = await opened("?threads=2", small);
let onTwo = [];
if (await two.page.evaluate("weft.list.memory === null")) {
    console.log("LEFT OUT: threads of the page: rustup component add rust-src");
} else {
    check(await two.page.evaluate("crossOriginIsolated && weft.threads === 2"), "the served page is isolated, and has threads");
    onTwo = await large(two.page, 2);
    await two.page.evaluate(() => wasm_exports.weft_lost());
    await two.page.evaluate(() => weft.ask({ pause: false }));
    await two.page.waitForFunction(() => weft.stopped);
    check((await two.page.locator("#doing").innerText()).includes("a worker of the page ended"), `a panic inside of a step is said: ${await two.page.locator("#doing").innerText()}`);
    await two.page.click("#again");
    await two.page.waitForFunction(() => window.weft?.ready);
    check((await steps(two.page, 3)).threads === 2, "and the page starts again");
}
await two.page.context().close();
// As a host serves it that knows nothing of isolation.
const bare = await opened("", small, null, async (route) => {
    const response = await route.fetch();
    const headers = response.headers();
    for (const name of Object.keys(headers)) if (name.startsWith("cross-origin")) delete headers[name];
    await route.fulfill({ response, headers });
});
check(await bare.page.evaluate("!crossOriginIsolated && weft.threads === 1"), "a page of any host has one thread");
const onOne = await large(bare.page, 1);
check(bare.errors.length === 0, `no error there ${bare.errors}`);
await bare.page.context().close();
const rows = Object.entries(expected.large.hashes).map(([solver, [, , native, both]], at) =>
    [expected.large.path, solver, onOne[at], onTwo[at], native, both].join(","));
fs.writeFileSync(path.join(out, "threads.csv"), ["scene,solver,page_1_ms,page_2_ms,native_1_ms,native_2_ms", ...rows].join("\n"));
console.log(rows.map((row) => `     ${row}`).join("\n"));

// --- hand, keys, panel ---------------------------------------------------------------------------------------------
const first = expected.scenes[0];
await enlarge(page);
await run(page, first.path, first.text);
await solve(page, "xpbd");
const alone = (await steps(page, 30)).hash;
await page.evaluate(() => weft.ask("reset"));
check((await steps(page, 30)).hash === alone, "the same scene twice is the same state twice");
await page.evaluate(() => weft.ask("reset"));
await steps(page, 0);
const canvas = await page.locator("#glcanvas").boundingBox();
const at = expected.cloth.map((share, axis) => (axis ? canvas.y + share * canvas.height : canvas.x + share * canvas.width));
await page.mouse.move(...at);
await page.mouse.down();
await page.mouse.move(at[0] + 60, at[1] - 40, { steps: 5 });
await page.waitForTimeout(300);
check((await steps(page, 30)).hash !== alone, "a drag moves the cloth");
await page.mouse.up();
await page.locator("#glcanvas").press("Tab");
await page.waitForFunction(() => weft.scene.solver !== "xpbd");
check(true, "Tab takes the next solver");
await solve(page, "xpbd");
check((await steps(page, 0)).beside === 0, "one run is shown");
await page.locator("#glcanvas").press("n");
await page.waitForTimeout(500);
const beside = await steps(page, 30);
check(beside.beside === 1 && beside.hash === alone, "N shows another run beside this one, which stays as it is");
await page.waitForTimeout(500);
await page.screenshot({ path: path.join(out, "beside.png") });
await page.evaluate(() => weft.ask("reset"));
const before = await page.evaluate(() => weft.answer("link", "link"));
let after = before;
// The sliders of the solver are at the panel's left edge, under its name.
for (let y = 366; y < 460 && after.scene === before.scene; y += 10) {
    await page.mouse.move(canvas.x + 90, canvas.y + y);
    await page.mouse.down();
    await page.waitForTimeout(250);
    await page.mouse.up();
    after = await page.evaluate(() => weft.answer("link", "link"));
}
check(before.scene !== after.scene, "a slider changes the scene");

// --- the editor ----------------------------------------------------------------------------------------------------
await page.click("#edit");
await page.waitForTimeout(300);
const good = await page.inputValue("#text");
check(good === first.text, "the editor shows the scene");
const edit = async (text) => {
    await page.fill("#text", text);
    await page.click("#run");
};
const lineOf = (text, part) => text.slice(0, text.indexOf(part)).split("\n").length;
await edit(good.replace("columns", "colums"));
await page.locator("#problems").waitFor({ state: "visible" });
const said = await page.locator("#problems").innerText();
check(said.includes(`${first.path.split("/").pop()}:${lineOf(good, "columns")}:`) && said.includes("columns"), `broken RON: ${said.split("\n")[0]}`);
await edit(good.replace(/title: "[^"]*"/, 'title: "Edited"'));
await page.locator("#problems").waitFor({ state: "hidden" });
await page.waitForFunction(() => weft.scene.title === "Edited");
check(true, "a save of the scene runs");
// What is typed and not run yet outlives whatever tells of the scene, a closed editor, and another file.
const typed = `${await page.inputValue("#text")}\n// a thought`;
await page.fill("#text", typed);
await solve(page, "verlet");
await page.click("#edit");
await page.click("#edit");
await page.selectOption("#file", "shaders/draw/cloth.wgsl");
await page.waitForFunction(() => document.getElementById("text").value.includes("fn "));
await page.selectOption("#file", await page.evaluate(() => weft.scene.path));
await page.waitForFunction(() => !document.getElementById("text").value.includes("fn "));
check((await page.inputValue("#text")) === typed, "what was typed and not run stays in the editor");
await page.click("#run");
await page.waitForFunction(() => weft.scene.text.includes("// a thought"));
await solve(page, "xpbd");
await page.waitForFunction(() => document.getElementById("text").value === weft.scene.text);
check(true, "what was run is shown as the scene is");
await page.selectOption("#file", "shaders/draw/cloth.wgsl");
await page.waitForFunction(() => document.getElementById("text").value.includes("fn "));
const shader = await page.inputValue("#text");
const place = shader.indexOf("let side = select");
await edit(shader.replace("let side = select", "let side = = select"));
await page.locator("#problems").waitFor({ state: "visible" });
const wgsl = await page.locator("#problems").innerText();
check(wgsl.includes(`cloth.wgsl:${shader.slice(0, place).split("\n").length}:16`), `broken WGSL: ${wgsl.split("\n")[0]}`);
await page.screenshot({ path: path.join(out, "editor.png") });
await edit(shader);
await page.locator("#problems").waitFor({ state: "hidden" });
check(true, "a good shader draws again");
await page.click("#edit");

// --- files ---------------------------------------------------------------------------------------------------------
const drop = (files) =>
    page.evaluate((files) => {
        const data = new DataTransfer();
        for (const [name, text, bytes] of files) data.items.add(new File([bytes ? new Uint8Array(bytes) : text], name));
        window.dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
    }, files);
const grid = [];
for (let y = 0; y < 9; y += 1) for (let x = 0; x < 9; x += 1) grid.push(`v ${x / 8} ${0.1 * Math.sin(x)} ${y / 8}`);
for (let y = 0; y < 8; y += 1)
    for (let x = 0; x < 8; x += 1) {
        const corner = 9 * y + x + 1;
        grid.push(`f ${corner} ${corner + 9} ${corner + 1}`, `f ${corner + 1} ${corner + 9} ${corner + 10}`);
    }
await drop([["sheet.obj", grid.join("\n")]]);
await page.waitForFunction(() => weft.scene.title === "sheet.obj");
check((await steps(page, 20)).frame >= 20, "a dropped OBJ runs");
const unshared = await page.evaluate(() => weft.share());
check(unshared === null && (await news(page)).includes("no link can hold sheet.obj"), "a link does without a mesh of one's own, and says so");
const own = await page.evaluate(() => weft.answer("link", "link"));
const whole = `(version: 1, title: "of parts", cloths: [(include: "sheet-part.ron", at: (0, 1, 0))])`;
const part = `(id: "mesh", shape: Mesh(file: "sheet.obj", scale: 1.0))`;
for (const files of [[["of-parts.ron", whole], ["sheet-part.ron", part]], [["sheet-part.ron", part], ["of-parts.ron", whole]]]) {
    await page.evaluate(() => weft.ask({ open: "scenes/sheet.ron" }));
    await page.waitForFunction(() => weft.scene.title === "sheet.obj");
    await drop(files);
    await page.waitForFunction(() => weft.scene.title === "of parts");
    check((await steps(page, 3)).frame >= 3, `a scene and its part, dropped together, ${files[0][0]} first`);
}
await drop([["huge.obj", "", 65 << 20]]);
await page.waitForFunction(() => document.getElementById("news").innerText.includes("at most 64 MB"));
check(true, "a file that is too large is refused with a sentence");
await drop([["notes.txt", "hello"]]);
await page.waitForFunction(() => document.getElementById("news").innerText.includes("notes.txt"));
check(true, "a file of another kind is refused with a sentence");
const sheet = (title, grid) =>
    `(version: 1, title: "${title}", /* "old.obj" */ cloths: [(id: "a", shape: Grid(columns: ${grid}, rows: ${grid}, width: 0.3, height: 0.3))])`;
await page.evaluate((text) => (weft.put("scenes/large.ron", text), weft.ask({ open: "scenes/large.ron" })), sheet("large", 1500));
await page.waitForFunction(() => weft.lines.some((line) => line.includes("GB of memory are free")));
check((await steps(page, 3)).frame >= 3, "a scene that is too large for a page is refused, and the one before runs on");
await run(page, "scenes/mine.ron", sheet("my flag.ron", 8));
check((await page.evaluate(() => weft.share()))?.includes("#"), "a title may look like a file");
const digits = Array.from({ length: 30_000 }, (_, i) => Math.sin(i * i).toFixed(6)).join("");
await run(page, "scenes/mine.ron", sheet("long", 8).replace("cloths:", `doc: "${digits}", cloths:`));
check((await page.evaluate(() => weft.share()))?.length > 100_000, "a link may be long");
await run(page, "scenes/mine.ron", sheet("small", 8));
const kept = page.waitForEvent("download");
await page.evaluate(() => weft.ask("mesh"));
const mesh = fs.readFileSync(await (await kept).path(), "utf8");
check(mesh.match(/^v /gm).length === 64 && mesh.match(/^f /gm).length === 98, "the cloth as an OBJ");
/** What the page hands over when this is done: its name and its file. */
async function handed(page, done) {
    const download = page.waitForEvent("download");
    await done();
    const name = (await download).suggestedFilename();
    const file = path.join(out, name);
    await (await download).saveAs(file);
    return { name, file, bytes: fs.readFileSync(file) };
}
const inMenu = (page, button) => async () => {
    await page.click("#save summary");
    await page.click(button);
};
const picture = await handed(page, inMenu(page, "#save-picture"));
check(picture.bytes.readUInt32BE(16) > 600 * SCALE && picture.bytes.length > 10_000, `the picture as a PNG: ${picture.name}, ${picture.bytes.readUInt32BE(16)} pixels wide`);
await page.evaluate(() => weft.ask({ pause: true }));
const film = await handed(page, async () => {
    const from = (await page.evaluate(() => weft.answer("link", "link"))).frame;
    await page.locator("#glcanvas").press("f");
    // All would take long where a processor draws.
    while ((await page.evaluate(() => weft.answer("link", "link"))).frame < from + 12) await page.waitForTimeout(200);
    await page.locator("#glcanvas").press("f");
});
const pictures = film.bytes.toString("latin1").split("\x21\xf9\x04").length - 1;
check(film.bytes.toString("latin1", 0, 6) === "GIF89a" && pictures >= 6, `the next frames as a film: ${film.name}, ${pictures} pictures, ${film.bytes.length >> 10} KB`);
await page.locator("#glcanvas").press("t");
await steps(page, 1);
const table = await handed(page, () => page.locator("#glcanvas").press("t"));
check(/^frame/m.test(table.bytes.toString()), `a recording as a table: ${table.name}`);

const paste = (text) =>
    page.evaluate((text) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text", text);
        document.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, text);
await paste(first.text.replace(/title: "[^"]*"/, 'title: "Pasted"'));
await page.waitForFunction(() => weft.scene.title === "Pasted");
check(true, "a scene in the clipboard runs");
await paste(grid.join("\n"));
await page.waitForFunction(() => weft.scene.title === "pasted.obj");
check(true, "a mesh in the clipboard runs");

// --- states --------------------------------------------------------------------------------------------------------
await run(page, first.path, first.text);
await solve(page, "xpbd");
await shrink(page);
const then = await steps(page, 20);
const state = await handed(page, inMenu(page, "#save-state"));
const onward = (await steps(page, 25)).hash;
fs.writeFileSync(path.join(out, "state.json"), JSON.stringify({ file: state.file, hash: onward, frames: 25 }));
await run(page, expected.scenes[1].path, expected.scenes[1].text);
await drop([[state.name, "", [...state.bytes]]]);
await page.waitForFunction((path) => weft.scene.path === path, first.path);
const again = await steps(page, 0);
check(again.frame === then.frame && again.hash === then.hash, `a state that is dropped goes on at frame ${again.frame}: ${state.name}, ${state.bytes.length >> 10} KB`);
check((await steps(page, 25)).hash === onward, "as it did before");
// Another page, which has never seen that scene.
const other = await opened("", small);
await other.page.setInputFiles("#files", state.file);
await other.page.waitForFunction((path) => weft.scene.path === path, first.path);
const elsewhere = await steps(other.page, 25);
check(elsewhere.frame === 45 && elsewhere.hash === onward, `and in another page: ${elsewhere.hash}`);
for (const [kind, bytes, says] of [
    ["cut short", state.bytes.subarray(0, state.bytes.length / 2), "it is not whole"],
    ["damaged", Buffer.from(state.bytes).fill(7, 5000, 5010), "it is damaged"],
    ["of something else", Buffer.from("a poem"), "it is not an autosave"],
    ["of a recording", Buffer.from("\x89WEFTREC and so on", "latin1"), "it is a recording"],
]) {
    await other.page.setInputFiles("#files", { name: `a state (${kind}).weft`, mimeType: "", buffer: bytes });
    await other.page.waitForFunction((says) => document.getElementById("news").innerText.includes(says), says);
    check(true, `a state ${kind}: ${(await news(other.page)).split("\n").at(-1)}`);
}
check((await steps(other.page, 0)).hash === onward && other.errors.length === 0, `all of which change nothing ${other.errors}`);
await other.page.context().close();

// --- links ---------------------------------------------------------------------------------------------------------
await run(page, first.path, first.text);
await solve(page, "xpbd");
const shared = await steps(page, 45);
const link = await page.evaluate(() => weft.share());
fs.writeFileSync(path.join(out, "link.json"), JSON.stringify({ link, hash: shared.hash, frame: shared.frame }));
// In the pixels of a screen: its picture is compared.
const second = await opened(`#${link.split("#")[1]}`, { deviceScaleFactor: 1 });
await second.page.waitForFunction(() => weft.replayed);
const there = await second.page.evaluate(() => weft.hash);
check(there.hash === shared.hash && there.frame === 45, `the link in a second tab: ${there.hash}`);
await second.page.waitForTimeout(500);
await second.page.evaluate(() => (document.getElementById("news").hidden = true));
await second.page.locator("#glcanvas").screenshot({ path: path.join(out, "linked.png") });
check(second.errors.length === 0, `no error there ${second.errors}`);
await second.page.context().close();
const broken = await opened("#AAAA_this-is-nothing", small);
check((await news(broken.page)).includes("cannot be read"), "a broken link is said, and the first scene runs");
await broken.page.context().close();
const linkOf = (link) => `#${zlib.deflateRawSync(typeof link === "string" ? link : JSON.stringify(link)).toString("base64url")}`;
const camera = [0, 1, 0, 3, 0, 0, 0.8];
for (const [kind, link, says] of [
    ["that unpacks to 64 MB", "x".repeat(64 << 20), "it is too large"],
    ["to a file elsewhere", { path: "scenes/../Cargo.toml", frame: 0, camera, scene: first.text }, "a part of it is missing"],
    ["to a frame in some years", { path: first.path, frame: 1e10, camera, scene: first.text }, "a part of it is missing"],
]) {
    const hostile = await opened(linkOf(link), small);
    check((await news(hostile.page)).includes(says), `a link ${kind}: ${await news(hostile.page)}`);
    check((await steps(hostile.page, 2)).frame >= 2 && hostile.errors.length === 0, `the first scene runs ${hostile.errors}`);
    await hostile.page.context().close();
}
const without = await opened(linkOf({ ...own, path: "scenes/mine.ron" }), small);
check((await news(without.page)).includes("needs sheet.obj, which is not in it"), `a link to a mesh of somebody else's: ${await news(without.page)}`);
check((await steps(without.page, 3)).frame >= 3, "and the first scene runs");
await without.page.context().close();
const empty = await opened(linkOf({ path: first.path, frame: 5, camera, scene: first.text.replace("columns", "colums") }), small);
check((await empty.page.locator("#doing").innerText()).includes("colums"), `a link to a scene with a mistake: ${await empty.page.locator("#doing").innerText()}`);
await empty.page.click("#again");
await empty.page.waitForFunction(() => window.weft?.ready);
check(true, "its page starts again without it");
await empty.page.context().close();
check(errors.length === 0, `no error in the console ${errors.join(" | ")}`);

// --- a phone -------------------------------------------------------------------------------------------------------
const phone = await opened("", { viewport: { width: 390, height: 780 }, deviceScaleFactor: expected.long ? 2 : 1, hasTouch: true, isMobile: true });
await phone.page.waitForTimeout(1500);
await phone.page.screenshot({ path: path.join(out, "phone.png") });
const far = (await phone.page.evaluate(() => weft.answer("link", "link"))).camera[3];
const touch = await phone.page.context().newCDPSession(phone.page);
const fingers = (half) => [{ x: 200 - half, y: 560, id: 1 }, { x: 200 + half, y: 560, id: 2 }];
await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: fingers(30) });
for (let half = 40; half <= 120; half += 10)
    await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: fingers(half) });
await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
const near = (await phone.page.evaluate(() => weft.answer("link", "link"))).camera[3];
check(near < 0.8 * far, `two fingers zoom: ${far.toFixed(2)} to ${near.toFixed(2)} m`);
check(phone.errors.length === 0, `no error on the phone ${phone.errors}`);
await phone.page.context().close();

await trouble(page, first);
await finish(browser);
