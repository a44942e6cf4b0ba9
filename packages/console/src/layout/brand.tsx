import { Anchor, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import icon from '../icon.svg'
import { useWords } from '../words/index.tsx'

export function Brand() {
  const words = useWords()
  return (
    <Anchor component={Link} to="/" underline="never" c="inherit" aria-label={words.console}>
      <Group gap={8} wrap="nowrap">
        <img src={icon} alt="" width={26} height={26} />
        <Text fw={700} visibleFrom="sm">
          {words.product}
        </Text>
      </Group>
    </Anchor>
  )
}
