// Chromium through playwright, and what scripts do with a page in it.
import path from "node:path";
import { createRequire } from "node:module";

import { PATIENCE, expected, out } from "./checks.mjs";

const { chromium } = createRequire(path.join(expected.playwright, "x.js"))("playwright-core");
export const browser = await chromium.launch({
    executablePath: expected.chromium,
    args: [
        "--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--no-first-run", "--disable-quic",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
    ],
});

/** A processor draws the pages, all that are open: where nobody looks at a picture it is small. */
const SMALL = { width: 640, height: 400 };
const LARGE = { width: 1280, height: 720 };
/** Pixels along each side by those of a screen, except in the long run: a quarter of the pictures is a quarter of the time. */
export const SCALE = expected.long ? 1 : 0.5;
export const small = { viewport: SMALL };
export const shrink = (page) => page.setViewportSize(SMALL);
export const enlarge = (page) => page.setViewportSize(LARGE);

/** A page that is ready, and the errors that its console has shown since. */
export async function opened(hash = "", options = {}, before, route) {
    const context = await browser.newContext({ viewport: LARGE, deviceScaleFactor: SCALE, ...options });
    context.setDefaultTimeout(PATIENCE);
    const page = await context.newPage();
    const errors = [];
    page.on("console", (line) => line.type() === "error" && (errors.push(line.text()), console.log(`     ${line.text()}`)));
    page.on("console", (line) => line.type() === "warning" && !line.text().includes("GL Driver") && console.log(`     ${line.text()}`));
    page.on("pageerror", (error) => errors.push(error.message));
    if (before) await page.addInitScript(before);
    if (route) await page.route("**/*", route);
    await page.goto(`${expected.url}${hash}`);
    await page.waitForFunction("window.weft?.ready || window.weft?.stopped").catch(async () => {
        await page.screenshot({ path: path.join(out, "stuck.png") });
        throw new Error(`the page does not start: ${await page.evaluate("document.body.innerText + JSON.stringify(window.weft?.lines)")}`);
    });
    return { page, errors };
}

export const news = (page) => page.locator("#news").innerText();
export const steps = (page, count) => page.evaluate((count) => weft.answer("hash", { steps: count }), count);
/** Opens a scene with this text, paused, and waits until it is there. */
export async function run(page, file, text) {
    await page.evaluate(([file, text]) => (weft.put(file, text), weft.ask({ open: file }), weft.ask({ pause: true })), [file, text]);
    await page.waitForFunction(([file, text]) => weft.scene.path === file && weft.scene.text === text, [file, text]);
}
export async function solve(page, solver) {
    await page.evaluate((solver) => (weft.ask({ solver }), weft.ask("reset")), solver);
    await page.waitForFunction((solver) => weft.scene.solver === solver, solver);
}
