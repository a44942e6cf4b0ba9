import { Screen } from '../parts/screen.tsx'
import { useWords } from '../words/index.tsx'

export function Settings() {
  const words = useWords()
  return <Screen title={words.settings.title}>{null}</Screen>
}
