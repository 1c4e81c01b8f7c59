/** Everything a plugin author may name: `import { wrapper, proxywasm } from "proxy-wasm-as/assembly"`. */
import * as wrapper from "./wrapper/index";
import * as proxywasm from "./proxywasm/index";
export { wrapper, proxywasm };
