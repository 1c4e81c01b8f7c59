// Rooms and house rules. The `rooms` table is the law for who may import whom; lint zones are made from it.
import importX, { createNodeResolver } from "eslint-plugin-import-x";
import tseslint from "typescript-eslint";

/** What nobody needs to ask for: facts without behaviour, texts and bytes, the words for a mistake. */
const facts = [
  "abi/status.ts",
  "abi/enums.ts",
  "abi/signatures.ts",
  "abi/pairs.ts",
  "abi/property-path.ts",
  "abi/callbacks.ts",
  "abi/wasm-types.ts",
  "abi/wasm-api.ts",
  "abi/imported-storage.ts",
  "state/bytes.ts",
  "state/shared-data-rules.ts",
  "errors.ts",
  "did-you-mean.ts",
];

/** room → rooms and files it may import, besides itself and the facts. */
const rooms = {
  assembly: {
    memory: [],
    abi: ["memory"],
    json: ["memory"],
    proxywasm: ["abi", "memory"],
    election: ["proxywasm", "json", "memory", "abi"],
    wrapper: ["election", "proxywasm", "json", "abi", "memory"],
    "json-as.ts": [],
  },
  "host-mock": {
    "errors.ts": [],
    "random.ts": [],
    trace: [],
    time: [],
    profiles: [],
    module: ["profiles"],
    vm: ["module"],
    state: [],
    abi: ["vm", "state", "http", "time", "trace", "module", "profiles"],
    redis: [],
    http: ["state", "redis", "time", "vm", "trace", "abi/vm-host.ts"],
    tcp: ["state", "time", "trace", "http/scheduler.ts", "http/pairs.ts", "http/stream-info.ts"],
    envoy: [
      ...["trace", "module", "vm", "state", "time", "abi", "http", "tcp", "profiles"],
      ...["schedule/world.ts", "random.ts"],
    ],
    schedule: ["random.ts"],
    stepping: [
      ...["abi", "module", "vm", "state", "time", "trace", "profiles"],
      ...["schedule/world.ts", "http/fence.ts", "random.ts"],
    ],
    model: ["random.ts"],
    faults: ["envoy", "abi", "state", "time", "trace", "random.ts"],
    properties: ["trace", "time/duration.ts"],
    report: ["trace", "properties", "time/duration.ts"],
    scenario: [
      ...[
        "envoy",
        "faults",
        "schedule",
        "stepping",
        "properties",
        "trace",
        "profiles",
        "time",
        "http",
        "tcp",
        "module",
      ],
      ...["report", "random.ts"],
    ],
    testing: ["index.ts"],
    cli: ["index.ts"],
  },
};

/** Folders that never import each other. */
const strangers = [
  ["assembly", "host-mock"],
  ["host-mock", "assembly"],
  ["host-mock", "transform"],
  ["assembly", "transform"],
  ["transform", "host-mock"],
];

const zones = [
  ...strangers.map(([target, from]) => ({ target: `./${target}`, from: `./${from}` })),
  ...Object.entries(rooms).flatMap(([folder, table]) =>
    Object.entries(table).map(([room, allowed]) => ({
      target: `./${folder}/${room}`,
      from: `./${folder}`,
      except: [...new Set([room, ...allowed, ...(folder === "host-mock" ? facts : [])])].map(
        (name) => `./${name}`,
      ),
      message: `${folder}/${room} may import: ${allowed.join(", ") || "nothing"} (eslint.config.js, rooms)`,
    })),
  ),
];

const resolver = createNodeResolver({ extensions: [".ts", ".js"] });

const clocks = [
  "Date",
  "performance",
  "setTimeout",
  "setInterval",
  "setImmediate",
  "process",
  "fetch",
];

const houseRules = {
  "max-lines": ["error", { max: 400, skipBlankLines: false, skipComments: false }],
  "max-lines-per-function": ["error", { max: 70, skipComments: true }],
  "import-x/no-restricted-paths": ["error", { zones, basePath: import.meta.dirname }],
  "import-x/no-cycle": "error",
  "no-restricted-syntax": [
    "error",
    { selector: "TSEnumDeclaration:not([declare=true])", message: "use a const object" },
  ],
};

export default tseslint.config(
  {
    ignores: [
      "dist/",
      "build/",
      "**/build/",
      ".cache/",
      "coverage/",
      "node_modules/",
      "**/fixtures/",
    ],
  },
  {
    files: ["host-mock/**/*.ts", "test/**/*.ts", "bench/**/*.ts", "examples/**/*.test.ts"],
    ignores: ["test/guests/**", "bench/guests/**", "**/*.guest.ts"],
    extends: [tseslint.configs.recommendedTypeChecked],
    plugins: { "import-x": importX },
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    settings: { "import-x/resolver-next": [resolver], "import-x/ignore": ["binaryen"] },
    rules: {
      ...houseRules,
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      eqeqeq: "error",
      "prefer-const": "error",
    },
  },
  {
    files: ["test/**/*.ts", "bench/**/*.ts", "examples/**/*.ts"],
    rules: {
      "max-lines-per-function": "off",
      // What a module exports is typed by wasm, not by TypeScript: `any`, checked by the test that calls it.
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
      // Fixtures are taken apart.
      "@typescript-eslint/unbound-method": "off",
    },
  },
  {
    // The report page's script: plain scripts that share their names, in a browser and not in the mock.
    files: ["host-mock/**/*.client.ts"],
    languageOptions: { sourceType: "script" },
    rules: {
      "@typescript-eslint/no-unused-vars": ["error", { vars: "local", argsIgnorePattern: "^_" }],
      "@typescript-eslint/consistent-type-imports": ["error", { disallowTypeAnnotations: false }],
      "prefer-const": "off",
    },
  },
  {
    files: ["host-mock/**/*.ts"],
    ignores: ["host-mock/cli/**", "host-mock/**/*.client.ts"],
    rules: {
      "no-restricted-globals": ["error", ...clocks],
      "no-restricted-properties": [
        "error",
        { object: "Math", property: "random", message: "chance comes from random.ts" },
      ],
    },
  },
  {
    files: ["host-mock/**/*.ts"],
    ignores: ["module", "scenario", "report", "cli", "testing"]
      .map((room) => `host-mock/${room}/**`)
      // zlib and signatures of Envoy's foreign functions: docs/internals/rationale.md.
      .concat("host-mock/random.ts", "host-mock/envoy/foreign/native-codecs.ts"),
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              group: ["node:*"],
              message: "node: built-ins stay in module scenario report cli testing random.ts",
            },
          ],
        },
      ],
    },
  },
  {
    files: ["assembly/**/*.ts", "{examples/*/assembly,test/guests,bench/guests}/**/*.ts"],
    plugins: { "import-x": importX, "@typescript-eslint": tseslint.plugin },
    languageOptions: { parser: tseslint.parser, parserOptions: { allowInvalidAST: true } },
    settings: {
      "import-x/resolver-next": [resolver],
      "import-x/ignore": ["binaryen"],
      "import-x/parsers": { "@typescript-eslint/parser": [".ts"] },
    },
    rules: { ...houseRules, "no-restricted-syntax": "off" },
  },
  {
    files: ["transform/**/*.js", "*.config.js"],
    plugins: { "import-x": importX },
    settings: { "import-x/ignore": ["binaryen"] },
    languageOptions: { ecmaVersion: 2024, sourceType: "module" },
    rules: { ...houseRules, eqeqeq: "error", "prefer-const": "error" },
  },
);
