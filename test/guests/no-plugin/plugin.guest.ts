// A module in which nobody called SetCtx.
export * from "proxy-wasm-as/assembly/abi";
