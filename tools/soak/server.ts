/** The soak kills this process, which hosts the Worker with faults in workerd; the storage stays on the disk. */
import { host, migrate } from '../bench/host.ts'
import { ADMIN_TOKEN } from '../simulation/contract.ts'

const [module = '', persistTo = '', port = ''] = process.argv.slice(2)

export interface Start {
  rates: object
  isFirst: boolean
}

process.once('message', (message: Start) => void start(message))
process.on('disconnect', () => process.exit())

async function start({ rates, isFirst }: Start): Promise<void> {
  // Only the development environment allows webhooks to this machine.
  const bindings = { ENVIRONMENT: 'development', ADMIN_TOKEN, ...rates }
  const hosted = await host([{ name: 'soak', module, bindings, socket: Number(port), objects: 'soak' }], { persistTo })
  // This runs before clients send requests. Later, this process and workerd, whose log it reads, would block each other.
  if (isFirst) await migrate(await hosted.db())
  process.send?.('ready')
}
