// Writes bundle.json: what the built files were built from, and what they are. BundleManifest checks it.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const web = fileURLToPath(new URL('..', import.meta.url))
const out = process.env.UI_OUT ?? join(web, '../src/main/resources/io/fairlead/ui/web')
// What is not ours in app.js, with its licence.
const licence = readFileSync(join(web, 'node_modules/svelte/LICENSE.md'), 'utf8').trim()
writeFileSync(join(out, 'THIRD-PARTY.txt'), `app.js has parts of Svelte (svelte):\n\n${licence}\n`)

const hash = (bytes) => createHash('sha256').update(bytes).digest('hex')

function below(path) {
  if (!existsSync(path)) return []
  return statSync(path).isDirectory() ? readdirSync(path).flatMap((name) => below(join(path, name))) : [path]
}

const sources = {}
for (const part of ['src', 'public', 'index.html', 'package.json', 'package-lock.json', 'vite.config.ts', 'tsconfig.json', 'svelte.config.js'])
  for (const file of below(join(web, part))) sources[relative(web, file)] = hash(readFileSync(file))
const all = Object.keys(sources)
  .sort()
  .map((name) => `${name} ${sources[name]}\n`)
  .join('')
const files = {}
for (const file of below(out).sort()) {
  const name = relative(out, file)
  if (name !== 'bundle.json') files[name] = hash(readFileSync(file))
}
writeFileSync(join(out, 'bundle.json'), JSON.stringify({ sources: hash(all), files }, null, 1) + '\n')
