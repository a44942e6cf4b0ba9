/** Vite imports a file with this suffix as text. */
declare module '*?raw' {
  const text: string
  export default text
}

/** Limits that vitest.config.ts replaces, as they are in production. */
declare module '*/src/limits.ts?real' {
  export const DATABASE: { readonly retryBaseMs: number }
}

interface ImportMeta {
  /** Vite replaces the call. */
  glob: <T>(pattern: string, options: { query: string; import: 'default'; eager: true }) => Record<string, T>
}
