/** The process that the soak kills: workerd with the fault entry point, on storage that stays. */
import { host, migrate } from './host.ts'

const [module = '', persistTo = '', port = '', rates = '{}', isFirst] = process.argv.slice(2)

const hosted = await host([{ name: 'soak', module, bindings: JSON.parse(rates), socket: Number(port) }], { persistTo })
// Not while clients call: this process would wait for workerd, and workerd for it to read the log lines.
if (isFirst === 'first') await migrate(await hosted.db())
process.send?.('ready')
process.on('disconnect', () => process.exit())
