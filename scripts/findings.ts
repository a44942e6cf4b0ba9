/** `npm run findings [-- PART]`: runs the scripts of findings/ whose names contain the part, and says which no longer hold. */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../findings')
const [part = ''] = process.argv.slice(2)
const names = readdirSync(folder).filter((name) => name.endsWith('.sh') && name.includes(part))
const changed = names.filter((name, i) => {
  const { status, stdout, stderr } = spawnSync('bash', [join(folder, name)], { encoding: 'utf8' })
  console.log(`${i + 1}/${names.length} ${name}: ${status === 0 ? 'as described' : `changed\n${stdout}${stderr}`}`)
  return status !== 0
})
console.log(changed.length === 0 ? `All ${names.length} hold.` : `${changed.length} of ${names.length} have changed.`)
process.exitCode = changed.length === 0 ? 0 : 1
