// What scripts in any browser share: their arguments, EXPECTED.json and FOLDER, and what holds and what does not.
// EXPECTED.json: { url, playwright, chromium, firefox, long, scenes: [{ path, text, hashes: { solver: [frames, hash, ms] } }], large: the same }
import fs from "node:fs";

const [expectedFile, folder] = process.argv.slice(2);
export const expected = JSON.parse(fs.readFileSync(expectedFile, "utf8"));
export const out = folder;

/** What a busy machine may take for what a quiet one does in a second [ms]. */
export const PATIENCE = 180_000;

const failures = [];
let last = "nothing";
export function check(holds, what) {
    last = `${holds ? "ok  " : "BAD "} ${what}`;
    console.log(last);
    if (!holds) failures.push(what);
}

// What is waited for in vain: after which check.
process.on("uncaughtException", (error) => {
    console.log(`BAD  after "${last}": ${error.stack}`);
    process.exit(1);
});

export async function finish(browser) {
    await browser.close();
    // Once more where a reader looks first.
    for (const what of failures) console.log(`BAD  ${what}`);
    process.exit(failures.length ? 1 : 0);
}
