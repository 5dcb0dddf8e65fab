// A thread of the program: the same code on the same memory, with a stack and thread-local values of its own
// (app/engine/src/threads/workers.rs). Of the page it has the clock and a line to say.
"use strict";

const decoder = new TextDecoder();

onmessage = async ({ data: { module, memory, index, tls, stack } }) => {
    const env = { memory };
    for (const { name, kind } of WebAssembly.Module.imports(module))
        if (kind === "function")
            env[name] = () => {
                throw new Error(`a thread of the solver called ${name}`);
            };
    env.now = () => (performance.timeOrigin + performance.now()) / 1000;
    env.weft_line = (pointer, bytes, warning) =>
        postMessage({ text: decoder.decode(new Uint8Array(memory.buffer, pointer, bytes).slice()), warning });
    const { exports } = await WebAssembly.instantiate(module, { env });
    exports.__stack_pointer.value = stack;
    exports.__wasm_init_tls(tls);
    try {
        exports.weft_serve(index);
    } catch (error) {
        exports.weft_lost();
        throw error;
    }
};
