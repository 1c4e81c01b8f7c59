export { Json, JsonKind, JsonValid, ParseJson } from "./reader";
export { JsonWriter } from "./writer";
