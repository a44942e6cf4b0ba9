/** https://tc39.es/proposal-json-parse-with-source/, which V8 has and TypeScript's library does not yet. */
interface JSON {
  parse(text: string, reviver: (key: string, value: unknown, context: { source: string }) => unknown): unknown
  rawJSON(text: string): object
}
