#!/usr/bin/env bash
# Whole frames of the workload W(n) with their picture, as rows of a table:
# `bash tests/results/h200/draw.sh target/release/weft OUT.csv [FOLDER FOR PICTURES]`, from the root of the source tree.
# No display is needed: EGL draws on the device. Where it finds no driver of NVIDIA, set
# __EGL_VENDOR_LIBRARY_FILENAMES=…/10_nvidia.json and VK_DRIVER_FILES=…/nvidia_icd.json to where that driver's lie.
# rows_for_one: of so many rows of the cloth one is drawn, where particles are no more than a pixel apart.
# ms: median, 95th percentile and least time of a frame on the wall, from the first command to the end of glFinish;
# step, link, draw: parts of it on the wall; step_device, draw_device: by the device's clocks.
set -u
weft=$1 out=$2 pictures=${3-}
row='import json, sys
row = json.load(sys.stdin)
names = "link n particles solver passes substeps iters width height samples rows_for_one frames ms_med ms_p95 ms_min step_ms link_ms draw_ms step_device_ms draw_device_ms adapter opengl"
print(",".join(str(row[name]).replace(",", ";") for name in names.split()))
if row["why"] and row["why"] != "asked for": print("not in context:", row["why"], file=sys.stderr)
if row["not_finite"]: print("not finite:", row["not_finite"], file=sys.stderr)'
bench() {
    local line
    if line=$(timeout 100 "$weft" bench --path gpu --draw 1280x720 -b 6 "$@"); then
        python3 -c "$row" <<<"$line" >>"$out"
    else
        echo "left out: $*" >&2
    fi
}
echo link,n,particles,solver,passes,substeps,iterations,width,height,samples,rows_for_one,frames,ms_median,ms_p95,ms_min,step_ms,link_ms,draw_ms,step_device_ms,draw_device_ms,adapter,opengl >"$out"
for link in in-context readback; do
    for n in 128 512 1024; do
        shot=()
        [ -n "$pictures" ] && shot=(--shot "$pictures/draw_${link}_$n.png")
        bench --link "$link" -n "$n" -s 20 -i 1 --order coloured -f 120 "${shot[@]}"
        bench --link "$link" -n "$n" -s 20 -i 1 --order jacobi -f 120
        bench --link "$link" -n "$n" -s 32 --solver explicit -f 120
    done
    # Less than 1 % of mean stretch at a million particles.
    bench --link "$link" -n 1024 -s 80 -i 1 --order coloured -f 60
done
# Mean stretch of 2.2 and 1.1 % after 300 frames.
for substeps in 100 120; do
    bench --link in-context -n 1024 -s "$substeps" -i 1 --order jacobi -f 120
done
