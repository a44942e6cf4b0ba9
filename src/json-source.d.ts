/** https://tc39.es/proposal-json-parse-with-source/, which V8 has and TypeScript's library does not yet. */
interface JSON {
  parse(text: string, reviver: (key: string, value: unknown, context: { source: string }) => unknown): unknown
  rawJSON(text: string): RawJson
  isRawJSON(value: unknown): value is RawJson
}

/** A number with the digits that were sent, which JSON.stringify writes unchanged. */
interface RawJson {
  readonly rawJSON: string
}
