/** The soak kills this process, which hosts the Worker with faults in workerd; the storage stays on the disk. */
import { host, migrate } from '../bench/host.ts'

const [module = '', persistTo = '', port = '', rates = '{}', isFirst] = process.argv.slice(2)

// Only the development environment allows webhooks to this machine.
const bindings = { ENVIRONMENT: 'development', ...JSON.parse(rates) }
const hosted = await host([{ name: 'soak', module, bindings, socket: Number(port), objects: 'soak' }], { persistTo })
// This runs before clients send requests. Later, this process and workerd, whose log it reads, would block each other.
if (isFirst === 'first') await migrate(await hosted.db())
process.send?.('ready')
process.on('disconnect', () => process.exit())
