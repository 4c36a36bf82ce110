import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

// One script, one style sheet, names without hashes: the built files are committed.
export default defineConfig({
  base: '/ui/',
  plugins: [svelte()],
  build: {
    target: 'es2022',
    outDir: process.env.UI_OUT ?? '../src/main/resources/io/fairlead/ui/web',
    emptyOutDir: false,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    sourcemap: false,
    rolldownOptions: {
      output: {
        entryFileNames: 'app.js',
        assetFileNames: 'app[extname]',
        codeSplitting: false,
      },
    },
  },
  server: { host: '127.0.0.1', proxy: { '/ui/api': 'http://127.0.0.1:6480', '/ui/login': 'http://127.0.0.1:6480' } },
  test: { include: ['test/**/*.test.ts'] },
})
