export * from "proxy-wasm-as/assembly/abi";
import "./request-headers.guest";
