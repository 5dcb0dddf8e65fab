// The page in Firefox, through its WebDriver BiDi: node firefox.mjs EXPECTED.json FOLDER (as page.mjs). It draws on a display.
import path from "node:path";
import { createRequire } from "node:module";

import { PATIENCE, check, expected, finish, out } from "./checks.mjs";

const puppeteer = createRequire(path.join(expected.playwright, "x.js"))("puppeteer-core");
const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: expected.firefox,
    headless: false,
    defaultViewport: null,
    protocolTimeout: 2 * PATIENCE,
    // Drivers in software are refused else.
    extraPrefsFirefox: { "webgl.force-enabled": true, "webgl.forbid-software": false },
});

const errors = [];
// One tab: others are asked for no pictures.
const [page] = await browser.pages();
page.setDefaultTimeout(PATIENCE);
page.setDefaultNavigationTimeout(PATIENCE);
page.on("console", (line) => line.type() === "error" && errors.push(line.text()));
page.on("pageerror", (error) => errors.push(error.message));
async function opened(query) {
    await page.goto(`${expected.url}${query}`);
    await page.waitForFunction("window.weft?.ready || window.weft?.stopped");
    const stopped = await page.evaluate("weft.stopped");
    check(!stopped, `${await browser.version()} shows the page${query}: ${stopped ?? "it runs"}`);
}
async function hashes({ path: file, text, hashes }, some) {
    await page.evaluate((file, text) => (weft.put(file, text), weft.ask({ open: file }), weft.ask({ pause: true })), file, text);
    await page.waitForFunction((file) => weft.scene.path === file, {}, file);
    for (const [solver, [frames, hash]] of Object.entries(hashes).filter(([solver]) => some(solver))) {
        await page.evaluate((solver) => (weft.ask({ solver }), weft.ask("reset")), solver);
        await page.waitForFunction((solver) => weft.scene.solver === solver, {}, solver);
        const answer = await page.evaluate((steps) => weft.answer("hash", { steps }), frames);
        check(answer.hash === hash, `${file} ${solver} on ${answer.threads} thread(s): ${answer.hash}`);
    }
}

await opened("?threads=1");
await hashes(expected.scenes[0], () => true);
await page.screenshot({ path: path.join(out, "firefox.png") });
await opened("?threads=2");
await hashes(expected.large, (solver) => solver === "xpbd");
// Firefox refuses the driver a look at objects of the page; the page itself says so when it ends.
const own = errors.filter((error) => !error.includes("Permission denied to access property"));
check(own.length === 0 && !(await page.evaluate("weft.stopped")), `no error in the console ${own.join(" | ")}`);
await finish(browser);
