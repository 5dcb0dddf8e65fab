// What scripts in any browser share: their arguments, EXPECTED.json and FOLDER, and what holds and what does not.
// EXPECTED.json: { url, playwright, chromium, firefox, long, scenes: [{ path, text, hashes: { solver: [frames, hash, ms] } }], large: the same }
import fs from "node:fs";

const [expectedFile, folder] = process.argv.slice(2);
export const expected = JSON.parse(fs.readFileSync(expectedFile, "utf8"));
export const out = folder;

let failures = 0;
export function check(holds, what) {
    console.log(`${holds ? "ok  " : "BAD "} ${what}`);
    if (!holds) failures += 1;
}

export async function finish(browser) {
    await browser.close();
    process.exit(failures ? 1 : 0);
}
