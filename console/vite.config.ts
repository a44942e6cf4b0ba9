import react from '@vitejs/plugin-react'
import { join } from 'node:path'
import { defineConfig } from 'vite'

/** Static files under /console. `npm run dev:console` serves the sources, and sends requests on to `npm run dev`. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react()],
  resolve: {
    // The import's CSV reader (import/read.ts) speaks web streams; Node has them in a module, a browser as globals.
    alias: { 'node:stream/web': join(import.meta.dirname, 'src/import/web-streams.ts') },
  },
  build: {
    outDir: '../dist/assets/console',
    emptyOutDir: true,
    target: 'es2023',
    // The content security policy allows files of our own origin alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
  },
  server: { port: 5173, proxy: { '/admin': 'http://localhost:8787', '/health': 'http://localhost:8787' } },
})
