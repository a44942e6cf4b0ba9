/** Draws the chart of docs/engineers.md, the p50 latency of the service and the floor, for light and dark mode. */
import type { Comparison } from './compare.ts'

const WIDTH = 760
const LEFT = 150
const RIGHT = 110
const ROW = 52
const TOP = 64

export function latencyChart(comparisons: Comparison[]): string {
  const shown = comparisons.filter(({ connections }) => connections === 16)
  const longest = Math.max(...shown.flatMap(({ ours, floor }) => [ours.p50, floor.p50]))
  const height = TOP + shown.length * ROW + 24
  const scale = (WIDTH - LEFT - RIGHT) / longest
  const bars = shown.map(({ operation, ours, floor }, i) => {
    const y = TOP + i * ROW
    return `<text x="${LEFT - 12}" y="${y + 24}" text-anchor="end">${operation}</text>
${bar('ours', y + 2, ours.p50 * scale, ours.p50)}
${bar('floor', y + 20, floor.p50 * scale, floor.p50)}`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title">
<title id="title">Median latency by operation at 16 connections, the service and the floor</title>
<style>
text { font: 13px system-ui, sans-serif; fill: #24292f }
.figure { font-size: 12px; fill: #57606a }
.ours { fill: #f48120 }
.floor { fill: #8c959f }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .figure { fill: #9198a1 } .floor { fill: #6e7681 } }
</style>
<text x="${LEFT}" y="22">Median latency at 16 connections, local D1</text>
<rect class="ours" x="${LEFT}" y="36" width="12" height="12" rx="2"/><text class="figure" x="${LEFT + 18}" y="46">Registrar</text>
<rect class="floor" x="${LEFT + 96}" y="36" width="12" height="12" rx="2"/><text class="figure" x="${LEFT + 114}" y="46">the floor: a minimal Worker that does the same</text>
${bars.join('\n')}
</svg>
`
}

function bar(name: string, y: number, width: number, milliseconds: number): string {
  const length = Math.max(width, 1).toFixed(1)
  return `<rect class="${name}" x="${LEFT}" y="${y}" width="${length}" height="14" rx="2"/><text class="figure" x="${(LEFT + Number(length) + 6).toFixed(1)}" y="${y + 11}">${milliseconds.toFixed(1)} ms</text>`
}
