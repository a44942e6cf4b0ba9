import { Screen } from '../parts/screen.tsx'
import { useWords } from '../words/index.tsx'

export function Users() {
  const words = useWords()
  return <Screen title={words.users.title}>{null}</Screen>
}
