import { Screen } from '../parts/screen.tsx'
import { useWords } from '../words/index.tsx'

export function Webhook() {
  const words = useWords()
  return <Screen title={words.webhooks.title}>{null}</Screen>
}
