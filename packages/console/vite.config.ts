import react from '@vitejs/plugin-react'
import { join } from 'node:path'
import { defineConfig } from 'vite'

/**
 * Builds the static files under /console. `npm run dev:console` serves the sources instead, and forwards API requests
 * to `npm run dev`.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react()],
  resolve: {
    // The CSV reader of the import imports web streams from a module of Node, which does not exist in a browser.
    alias: { 'node:stream/web': join(import.meta.dirname, 'src/import/web-streams.ts') },
  },
  worker: { format: 'es' },
  build: {
    outDir: '../../dist/assets/console',
    emptyOutDir: true,
    target: 'es2023',
    // Small assets must stay files: the content security policy does not allow data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
  },
  server: { port: 5173, proxy: { '/admin': 'http://localhost:8787', '/health': 'http://localhost:8787' } },
})
