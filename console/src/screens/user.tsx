import { Screen } from '../parts/screen.tsx'
import { useWords } from '../words/index.tsx'

export function UserScreen() {
  const words = useWords()
  return <Screen title={words.user.title}>{null}</Screen>
}
