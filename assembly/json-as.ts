/**
 * json-as, for a plugin's own classes: `JSON.stringify(report)`. It must not read foreign bytes, since
 * malformed text ends the VM: `wrapper.ParseJson` does that. It is named here so that it is found also
 * when npm installs it inside this package; its transform stands in asconfig.json.
 */
export { JSON } from "json-as";
