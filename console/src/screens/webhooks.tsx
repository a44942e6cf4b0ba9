import { Screen } from '../parts/screen.tsx'
import { useWords } from '../words/index.tsx'

export function Webhooks() {
  const words = useWords()
  return <Screen title={words.webhooks.title}>{null}</Screen>
}
