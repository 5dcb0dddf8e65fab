// Perfetto's own trace processor, in its page, reads what is recorded: node perfetto.mjs EXPECTED.json FOLDER
// EXPECTED.json: { playwright, chromium, perfetto: folder of its page, traces: [files] }
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { createRequire } from "node:module";

import { PATIENCE, check, expected, finish, out } from "./checks.mjs";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm", ".css": "text/css" };
const server = http.createServer((request, response) => {
    const file = path.join(expected.perfetto, decodeURI(new URL(request.url, "http://x").pathname));
    const found = fs.existsSync(file) && fs.statSync(file).isFile() ? file : `${file}index.html`;
    if (!fs.existsSync(found)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[path.extname(found)] ?? "application/octet-stream" });
    fs.createReadStream(found).pipe(response);
});
await new Promise((listens) => server.listen(0, "127.0.0.1", listens));

const { chromium } = createRequire(path.join(expected.playwright, "x.js"))("playwright-core");
const browser = await chromium.launch({ executablePath: expected.chromium, args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1400, height: 800 } });
page.setDefaultTimeout(PATIENCE);
await page.goto(`http://127.0.0.1:${server.address().port}/`);
await page.waitForFunction("window.app");

/** Rows of a query to the trace processor; the columns are named. */
const query = (sql, columns) =>
    page.evaluate(
        async ([sql, columns]) => {
            const rows = [];
            const all = (await app.trace.engine.query(sql)).iter({});
            for (; all.valid(); all.next()) rows.push(columns.map((column) => all.get(column)));
            return rows.map((row) => row.map((cell) => (typeof cell === "bigint" ? Number(cell) : cell)));
        },
        [sql, columns],
    );

/** Number and length of all [ns], by name. */
function sums(rows) {
    const all = new Map();
    for (const [name, ns] of rows) {
        const [count, sum] = all.get(name) ?? [0, 0];
        all.set(name, [count + 1, sum + ns]);
    }
    return JSON.stringify([...all].sort());
}

for (const file of expected.traces) {
    const events = JSON.parse(fs.readFileSync(file, "utf8"));
    const title = events.find((event) => event.name === "process_name").args.name;
    await page.setInputFiles("input.trace_file", file);
    await page.waitForFunction("app.trace?.traceInfo?.traceTitle !== undefined");
    await page.evaluate("waitForPerfettoIdle()").catch(() => {});
    const [[process]] = await query("select name from process where name is not null", ["name"]);
    check(process === title, `Perfetto opens ${path.basename(file)}: ${process}`);
    const wrong = await query("select name, value from stats where value > 0 and severity in ('error', 'data_loss')", ["name", "value"]);
    check(wrong.length === 0, `nothing in it is wrong or lost ${JSON.stringify(wrong)}`);
    const slices = events.filter((event) => event.ph === "X" || event.ph === "i");
    const [read, written] = [
        sums(await query("select name, dur from slice", ["name", "dur"])),
        sums(slices.map((event) => [event.name, Math.round((event.dur ?? 0) * 1000)])),
    ];
    check(read === written, `${slices.length} slices and instants, each stage as long as it was recorded${read === written ? "" : `\n${read}\n${written}`}`);
    // Stages lie in the step, and that in its frame.
    const depths = await query("select slice.name as name, depth from slice join thread_track on track_id = thread_track.id join thread using (utid) where thread.name = 'frames' group by 1, 2", ["name", "depth"]);
    const inside = Object.entries({ frame: 0, step: 1, solve: 2 }).every(([name, depth]) => depths.filter((row) => row[0] === name).every((row) => row[1] === depth));
    check(inside, "stages in steps, and steps in frames");
    const counters = await query("select count(*) as n from counter", ["n"]);
    check(counters[0][0] === events.filter((event) => event.ph === "C").length, `${counters[0][0]} values of counters`);
    // The page misses the server that comes with the package.
    await page.keyboard.press("Escape");
    await page.waitForTimeout(500);
    await page.screenshot({ path: path.join(out, `${path.basename(file)}.png`) });
}
server.close();
await finish(browser);
