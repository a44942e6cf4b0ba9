import { Screen } from '../parts/screen.tsx'
import { useWords } from '../words/index.tsx'

export function Tokens() {
  const words = useWords()
  return <Screen title={words.tokens.title}>{null}</Screen>
}
