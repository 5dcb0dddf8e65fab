// What can go wrong with a page: no WebGL, no storage, a hidden tab, memory that grows, graphics and program that go.
import fs from "node:fs";
import path from "node:path";

import { check, expected, out } from "./checks.mjs";
import { opened, run, small, solve, steps } from "./chromium.mjs";

/** `page` runs, and `first` is a scene that can. */
export async function trouble(page, first) {
    const blind = await opened("", small, () => {
        const own = HTMLCanvasElement.prototype.getContext;
        HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
            return kind === "webgl2" ? null : own.call(this, kind, ...rest);
        };
    });
    check((await blind.page.locator("#doing").innerText()).includes("WebGL 2"), "a browser without WebGL 2 is told so");
    await blind.page.context().close();
    // No storage: a browser that keeps nothing throws at the first touch.
    const refused = await opened("", small, () => {
        for (const store of ["localStorage", "sessionStorage", "indexedDB", "caches"])
            Object.defineProperty(window, store, { get: () => { throw new DOMException("refused", "SecurityError"); } });
    });
    check((await steps(refused.page, 3)).frame >= 3 && refused.errors.length === 0, `a browser that stores nothing runs it ${refused.errors}`);
    await refused.page.context().close();
    // A hidden tab is asked for no picture: the clock goes on, and the scene does not try to make up for it, but for a fifth of a second in
    // each picture of a busy machine.
    const HIDDEN = expected.long ? 60_000 : 3_000;
    const hidden = await opened("", small, () => {
        const own = window.requestAnimationFrame.bind(window);
        const held = [];
        let hides = false;
        const draw = (callback) => own((time) => ((window.pictures += 1), callback(time)));
        window.requestAnimationFrame = (callback) => (hides ? held.push(callback) : draw(callback));
        window.hide = (now) => {
            hides = now;
            Object.defineProperty(document, "visibilityState", { value: now ? "hidden" : "visible", configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
            window.pictures = 0;
            if (!now) held.splice(0).forEach(draw);
        };
    });
    await run(hidden.page, first.path, first.text);
    await steps(hidden.page, 60);
    await hidden.page.evaluate(() => (weft.ask({ pause: false }), hide(true)));
    await hidden.page.waitForTimeout(HIDDEN);
    const back = await hidden.page.evaluate(async () => {
        hide(false);
        const { frame } = await weft.answer("link", "link");
        const next = await weft.answer("hash", { steps: 0 });
        return { first: frame, then: next.frame, pictures: window.pictures };
    });
    // A picture that comes late catches up with a fifth of a second, not with what was hidden.
    const caught = 12 * (back.pictures + 1);
    check(back.first >= 60 && back.then <= 60 + caught, `${HIDDEN / 1000} s hidden: frame 60, then ${back.first} and ${back.then} in ${back.pictures} pictures`);
    check((await steps(hidden.page, 30)).frame === back.then + 30 && hidden.errors.length === 0, "and it goes on");
    await hidden.page.context().close();

    // --- memory --------------------------------------------------------------------------------------------------------
    const watched = await opened("", small);
    await run(watched.page, first.path, first.text.replace(/"substeps": \d+/, '"substeps": 4'));
    await solve(watched.page, "xpbd");
    // Until the frames to go back to are as many as are kept.
    const from = (await steps(watched.page, 4000)).frame;
    await watched.page.evaluate(() => weft.ask({ pause: false }));
    const cdp = await watched.page.context().newCDPSession(watched.page);
    const memory = async () => {
        await cdp.send("HeapProfiler.collectGarbage");
        const { usedSize } = await cdp.send("Runtime.getHeapUsage");
        return [await watched.page.evaluate("wasm_memory.buffer.byteLength / 1e6"), usedSize / 1e6];
    };
    const LOOKS = expected.long ? 30 : 3;
    const BETWEEN = expected.long ? 10_000 : 2_000;
    const looks = [];
    for (let look = 0; look <= LOOKS; look += 1) {
        if (look) await watched.page.waitForTimeout(BETWEEN);
        looks.push([(look * BETWEEN) / 1000, ...(await memory())]);
    }
    fs.writeFileSync(path.join(out, "memory.csv"), ["seconds,program_mb,page_mb", ...looks.map((row) => row.map((v) => Number(v.toFixed(2))).join(","))].join("\n"));
    const [begun, ended] = [looks[1], looks.at(-1)];
    check(ended[1] <= 1.02 * begun[1] && ended[2] <= begun[2] + 1, `memory after ${begun[0]} s ${begun[1].toFixed(1)} + ${begun[2].toFixed(1)} MB, after ${ended[0]} s ${ended[1].toFixed(1)} + ${ended[2].toFixed(1)} MB`);
    const upTo = (await steps(watched.page, 0)).frame;
    check(upTo > from + (LOOKS * BETWEEN) / 200, `it ran meanwhile, from frame ${from} to ${upTo}`);
    await watched.page.context().close();

    // --- graphics and program that go --------------------------------------------------------------------------------
    await page.evaluate(() => (window.lost = document.getElementById("glcanvas").getContext("webgl2").getExtension("WEBGL_lose_context")).loseContext());
    await page.waitForFunction(() => weft.stopped);
    check((await page.locator("#doing").innerText()).includes("graphics"), "lost graphics are said");
    await page.evaluate(() => void setTimeout(() => window.lost.restoreContext()));
    await page.waitForFunction(() => window.weft?.ready && !weft.stopped);
    check((await steps(page, 3)).frame >= 3, "and the scene runs again when they are back");
    const dead = await opened("", small);
    await dead.page.evaluate(() => void setTimeout(() => wasm_exports.weft_room(0xfffffff0)));
    await dead.page.waitForFunction(() => weft.stopped);
    check(await dead.page.locator("#again").isVisible(), `a program that ends is said: ${await dead.page.locator("#doing").innerText()}`);
}
