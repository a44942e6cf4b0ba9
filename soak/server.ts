/** The process that the soak kills: workerd with the fault entry point, on storage that stays. */
import { host, migrate } from '../bench/host.ts'

const [module = '', persistTo = '', port = '', rates = '{}', isFirst] = process.argv.slice(2)

// In development a webhook may go to this machine.
const bindings = { ENVIRONMENT: 'development', ...JSON.parse(rates) }
const hosted = await host([{ name: 'soak', module, bindings, socket: Number(port), isConsumer: true }], { persistTo })
// Not while clients call: this process would wait for workerd, and workerd for it to read the log lines.
if (isFirst === 'first') await migrate(await hosted.db())
process.send?.('ready')
process.on('disconnect', () => process.exit())
