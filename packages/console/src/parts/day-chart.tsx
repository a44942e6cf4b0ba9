import { Group, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useLanguage, useWords } from '../words/index.tsx'
import classes from './day-chart.module.css'

interface Day {
  /** A date in UTC, such as 2026-11-22. */
  day: string
  value: number
}

const HEIGHT = 100
/** The steps of the scale, before they are multiplied by a power of ten. */
const STEPS = [1, 2, 4, 6, 10]
const GAP = 0.25

/** Shows a bar for each day. The value of the day under the pointer is shown above the chart. */
export function DayChart({ title, days }: { title: string; days: Day[] }) {
  const { overview } = useWords()
  const { language } = useLanguage()
  const [hovered, setHovered] = useState<number>()
  const total = days.reduce((sum, { value }) => sum + value, 0)
  const top = topOf(Math.max(...days.map(({ value }) => value)))
  const ticks = top === 1 ? [1, 0] : [top, top / 2, 0]
  const hoveredDay = hovered === undefined ? undefined : days[hovered]
  const dayText = ({ day }: Day) =>
    new Date(day).toLocaleDateString(language, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const [first, last] = [days.at(0), days.at(-1)]
  return (
    <figure className={classes.figure}>
      <Group justify="space-between" component="figcaption" wrap="nowrap">
        <Title order={2} size="sm">
          {title}
        </Title>
        <Text fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
          {hoveredDay
            ? `${dayText(hoveredDay)}: ${hoveredDay.value.toLocaleString(language)}`
            : total.toLocaleString(language)}
        </Text>
      </Group>
      <div className={classes.plot}>
        <div className={classes.scale} aria-hidden>
          {ticks.map((tick) => (
            <span key={tick}>{tick.toLocaleString(language)}</span>
          ))}
        </div>
        <div className={classes.ground}>
          <svg
            role="img"
            aria-label={overview.chart(title, total.toLocaleString(language), days.length)}
            className={classes.chart}
            viewBox={`0 0 ${days.length} ${HEIGHT}`}
            preserveAspectRatio="none"
            onPointerLeave={() => setHovered(undefined)}
          >
            {days.map(({ day, value }, i) => {
              // A value of 1 next to a very large one would be too small to see.
              const height = value === 0 ? 0 : Math.max(2, (value / top) * HEIGHT)
              return (
                <g key={day} onPointerEnter={() => setHovered(i)}>
                  <rect className={classes.column} x={i} y={0} width={1} height={HEIGHT} />
                  <rect className={classes.bar} x={i + GAP / 2} y={HEIGHT - height} width={1 - GAP} height={height} />
                </g>
              )
            })}
          </svg>
        </div>
      </div>
      {first && last && (
        <Group justify="space-between" className={classes.days ?? ''}>
          <Text size="xs" c="dimmed">
            {dayText(first)}
          </Text>
          <Text size="xs" c="dimmed">
            {dayText(last)}
          </Text>
        </Group>
      )}
    </figure>
  )
}

/** The smallest round number that is not below the highest value. Except for 1, its half is a whole number. */
function topOf(highest: number): number {
  if (highest <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(highest))
  return power * (STEPS.find((step) => step * power >= highest) ?? 10)
}
