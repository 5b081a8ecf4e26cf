// Lint rules for the JavaScript of the served page, of the report page and of these tests.
import js from "@eslint/js";
import globals from "globals";

// Texts from agents and from the server must never be parsed as markup or code.
const markupProperties = ["innerHTML", "outerHTML", "insertAdjacentHTML", "setHTMLUnsafe", "createContextualFragment"].map((property) => ({
  property,
  message: "Use element() and textContent: text must not become markup.",
}));

export default [
  { ignores: ["**/node_modules/**"] },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2023, sourceType: "module" },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "array-callback-return": "error",
      "consistent-return": "error",
      eqeqeq: "error",
      "no-alert": "error",
      "no-console": "error",
      "no-else-return": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-promise-executor-return": "error",
      "no-restricted-globals": ["error", { name: "DOMParser", message: "Only dom/fragment.js parses markup, which the host has made." }],
      "no-restricted-properties": ["error", ...markupProperties],
      "no-self-compare": "error",
      "no-shadow": "error",
      "no-template-curly-in-string": "error",
      "no-throw-literal": "error",
      "no-unmodified-loop-condition": "error",
      "no-unneeded-ternary": "error",
      "no-unreachable-loop": "error",
      "no-useless-concat": "error",
      "no-useless-rename": "error",
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "require-await": "error",
    },
  },
  { files: ["host/crates/**/*.js"], languageOptions: { globals: globals.browser } },
  { files: ["host/crates/serve/src/page/dom/fragment.js"], rules: { "no-restricted-globals": "off" } },
  { files: ["tests/page/**/*.js"], languageOptions: { globals: globals.node } },
];
