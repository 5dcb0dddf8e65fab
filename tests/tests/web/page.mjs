// What a person does with the page, in a real browser: node page.mjs EXPECTED.json FOLDER
// EXPECTED.json: { url, playwright, chromium, scenes: [{ path, text, hashes: { solver: [frames, hash] } }] }
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";

const [expectedFile, out] = process.argv.slice(2);
const expected = JSON.parse(fs.readFileSync(expectedFile, "utf8"));
const { chromium } = createRequire(path.join(expected.playwright, "x.js"))("playwright-core");
const browser = await chromium.launch({
    executablePath: expected.chromium,
    args: [
        "--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--no-first-run", "--disable-quic",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
    ],
});

let failures = 0;
function check(holds, what) {
    console.log(`${holds ? "ok  " : "BAD "} ${what}`);
    if (!holds) failures += 1;
}

/** A page that is ready, and the errors that its console has shown since. */
async function opened(hash = "", options = {}, before) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, ...options });
    const page = await context.newPage();
    const errors = [];
    page.on("console", (line) => line.type() === "error" && (errors.push(line.text()), console.log(`     ${line.text()}`)));
    page.on("console", (line) => line.type() === "warning" && !line.text().includes("GL Driver") && console.log(`     ${line.text()}`));
    page.on("pageerror", (error) => errors.push(error.message));
    if (before) await page.addInitScript(before);
    await page.goto(`${expected.url}${hash}`);
    await page.waitForFunction("window.weft?.ready || window.weft?.stopped", null, { timeout: 60_000 }).catch(async () => {
        await page.screenshot({ path: path.join(out, "stuck.png") });
        throw new Error(`the page does not start: ${await page.evaluate("document.body.innerText + JSON.stringify(window.weft?.lines)")}`);
    });
    return { page, errors };
}

const news = (page) => page.locator("#news").innerText();
const steps = (page, count) => page.evaluate((count) => weft.answer("hash", { steps: count }), count);
/** Opens a scene with this text, paused, and waits until it is there. */
async function run(page, file, text) {
    await page.evaluate(([file, text]) => (weft.put(file, text), weft.ask({ open: file }), weft.ask({ pause: true })), [file, text]);
    await page.waitForFunction(([file, text]) => weft.scene.path === file && weft.scene.text === text, [file, text]);
}
async function solve(page, solver) {
    await page.evaluate((solver) => (weft.ask({ solver }), weft.ask("reset")), solver);
    await page.waitForFunction((solver) => weft.scene.solver === solver, solver);
}

const begin = Date.now();
const { page, errors } = await opened();
console.log(`     first picture ${Date.now() - begin} ms after the address`);
check(!(await page.evaluate("weft.stopped")), "the page starts");
await page.waitForTimeout(1000);
await page.screenshot({ path: path.join(out, "desktop.png") });

// --- the same numbers ----------------------------------------------------------------------------------------------
const times = [];
for (const { path: file, text, hashes } of expected.scenes) {
    await run(page, file, text);
    for (const [solver, [frames, hash, native]] of Object.entries(hashes)) {
        await solve(page, solver);
        const answer = await steps(page, frames);
        times.push([file, solver, answer.ms, native]);
        check(answer.frame === frames && answer.hash === hash, `${file} ${solver}: ${answer.hash} at frame ${answer.frame}`);
    }
}
fs.writeFileSync(path.join(out, "times.csv"), times.map((row) => row.join(",")).join("\n"));
const ratios = times.map(([, , ms, native]) => ms / native).sort((a, b) => a - b);
console.log(`     a step takes ${ratios[ratios.length >> 1].toFixed(2)} times as long as natively (median)`);

// --- hand, keys, panel ---------------------------------------------------------------------------------------------
const first = expected.scenes[0];
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
const before = await page.evaluate(() => weft.answer("link", "link"));
let after = before;
// The sliders of the solver are at the panel's left edge.
for (let y = 260; y < 460 && after.scene === before.scene; y += 10) {
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
await drop([["huge.obj", "", 65 << 20]]);
await page.waitForFunction(() => document.getElementById("news").innerText.includes("at most 64 MB"));
check(true, "a file that is too large is refused with a sentence");
await drop([["notes.txt", "hello"]]);
await page.waitForFunction(() => document.getElementById("news").innerText.includes("notes.txt"));
check(true, "a file of another kind is refused with a sentence");
const kept = page.waitForEvent("download");
await page.evaluate(() => weft.ask("mesh"));
const mesh = fs.readFileSync(await (await kept).path(), "utf8");
check(mesh.match(/^v /gm).length === 81 && mesh.match(/^f /gm).length === 128, "the cloth as an OBJ");
const pictured = page.waitForEvent("download");
await page.click("#save summary");
await page.click("#save-picture");
check(fs.statSync(await (await pictured).path()).size > 10_000, "the picture as a PNG");

await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", text);
    document.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}, first.text.replace(/title: "[^"]*"/, 'title: "Pasted"'));
await page.waitForFunction(() => weft.scene.title === "Pasted");
check(true, "a scene in the clipboard runs");

// --- links ---------------------------------------------------------------------------------------------------------
await run(page, first.path, first.text);
await solve(page, "xpbd");
const shared = await steps(page, 45);
const link = await page.evaluate(() => weft.share());
fs.writeFileSync(path.join(out, "link.json"), JSON.stringify({ link, hash: shared.hash, frame: shared.frame }));
const second = await opened(`#${link.split("#")[1]}`);
await second.page.waitForFunction(() => weft.replayed, null, { timeout: 120_000 });
const there = await second.page.evaluate(() => weft.hash);
check(there.hash === shared.hash && there.frame === 45, `the link in a second tab: ${there.hash}`);
await second.page.waitForTimeout(500);
await second.page.evaluate(() => (document.getElementById("news").hidden = true));
await second.page.locator("#glcanvas").screenshot({ path: path.join(out, "linked.png") });
check(second.errors.length === 0, `no error there ${second.errors}`);
await second.page.context().close();
const broken = await opened("#AAAA_this-is-nothing");
check((await news(broken.page)).includes("cannot be read"), "a broken link is said, and the first scene runs");
await broken.page.context().close();
check(errors.length === 0, `no error in the console ${errors.join(" | ")}`);

// --- a phone -------------------------------------------------------------------------------------------------------
const phone = await opened("", { viewport: { width: 390, height: 780 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true });
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

// --- what can go wrong ---------------------------------------------------------------------------------------------
const blind = await opened("", {}, () => {
    const own = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return kind === "webgl2" ? null : own.call(this, kind, ...rest);
    };
});
check((await blind.page.locator("#doing").innerText()).includes("WebGL 2"), "a browser without WebGL 2 is told so");
await blind.page.context().close();
await page.evaluate(() => document.getElementById("glcanvas").getContext("webgl2").getExtension("WEBGL_lose_context").loseContext());
await page.waitForFunction(() => weft.stopped);
check((await page.locator("#doing").innerText()).includes("graphics"), "lost graphics are said");
const dead = await opened();
await dead.page.evaluate(() => void setTimeout(() => wasm_exports.weft_room(0xfffffff0)));
await dead.page.waitForFunction(() => weft.stopped);
check(await dead.page.locator("#again").isVisible(), `a program that ends is said: ${await dead.page.locator("#doing").innerText()}`);

await browser.close();
process.exit(failures ? 1 : 0);
