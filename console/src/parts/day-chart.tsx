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
const GAP = 0.25

/** Shows a bar for each day. The value of the day under the pointer is shown above the chart. */
export function DayChart({ title, days }: { title: string; days: Day[] }) {
  const { overview } = useWords()
  const { language } = useLanguage()
  const [hovered, setHovered] = useState<number>()
  const total = days.reduce((sum, { value }) => sum + value, 0)
  const highest = Math.max(1, ...days.map(({ value }) => value))
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
          const height = value === 0 ? 0 : Math.max(2, (value / highest) * HEIGHT)
          return (
            <g key={day} onPointerEnter={() => setHovered(i)}>
              <rect className={classes.ground} x={i} y={0} width={1} height={HEIGHT} />
              <rect className={classes.bar} x={i + GAP / 2} y={HEIGHT - height} width={1 - GAP} height={height} />
            </g>
          )
        })}
      </svg>
      {first && last && (
        <Group justify="space-between">
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
