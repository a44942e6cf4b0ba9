/** Vite imports a file with this suffix as text. */
declare module '*?raw' {
  const text: string
  export default text
}

interface ImportMeta {
  /** Vite replaces the call. */
  glob: <T>(pattern: string, options: { query: string; import: 'default'; eager: true }) => Record<string, T>
}
