// The module replan.wasm from its letters, compiled while it is unpacked.

/** @param base64 of the gzip of replan.wasm @returns {Promise<WebAssembly.Module>} */
export async function compile(base64) {
  const letters = atob(base64);
  const packed = new Uint8Array(letters.length);
  for (let i = 0; i < packed.length; i++) {
    packed[i] = letters.charCodeAt(i);
  }
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compileStreaming(new Response(stream, { headers: { "Content-Type": "application/wasm" } }));
}
