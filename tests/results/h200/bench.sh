#!/usr/bin/env bash
# The workload W(n) on a GPU, as rows of a table: `bash tests/results/h200/bench.sh target/release/weft OUT.csv`.
# ms: median of a frame by the device's own clock; stretch: structural rows after the last of `frames`, 1 = 100 %.
# gb_s: bytes that the method has to move over that time; copy_gb_s: a copy of a large buffer in the same run.
set -u
weft=$1 out=$2
row='import json, sys
row = json.load(sys.stdin)
names = "n solver passes substeps iters frames ms_med ms_min gb_s copy_gb_s stretch_mean stretch_p95 stretch_max adapter"
print(",".join(str(row[name]) for name in names.split()))'
bench() {
    timeout 60 "$weft" bench --path gpu -b 6 "$@" 2>/dev/null | python3 -c "$row" >>"$out" 2>/dev/null || echo "left out: $*" >&2
}
echo n,solver,passes,substeps,iterations,frames,ms_median,ms_min,gb_s,copy_gb_s,stretch_mean,stretch_p95,stretch_max,adapter >"$out"
for n in 64 128 256 512 1024 2048; do
    bench -n "$n" -s 32 --solver explicit -f 300
    for substeps in 10 20 40; do
        bench -n "$n" -s "$substeps" -i 1 --order coloured -f 300
        bench -n "$n" -s "$substeps" -i 1 --order jacobi -f 300
    done
    bench -n "$n" -s 10 -i 10 --order coloured -f 300
    bench -n "$n" -s 10 -i 20 --order coloured -f 300
done
# Less than 1 % of mean stretch at a million particles.
bench -n 1024 -s 80 -i 1 --order coloured -f 300
for substeps in 160 80 100 120; do
    bench -n 1024 -s "$substeps" -i 1 --order jacobi -f 300
done
