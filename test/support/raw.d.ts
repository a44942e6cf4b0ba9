/** Vite imports a file with this suffix as text. */
declare module '*?raw' {
  const text: string
  export default text
}
