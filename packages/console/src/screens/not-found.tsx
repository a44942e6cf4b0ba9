import { ButtonLink } from '../parts/links.tsx'
import { Empty } from '../parts/empty.tsx'
import { Screen } from '../parts/screen.tsx'
import { useWords } from '../words/index.tsx'

export function NotFound() {
  const { notFound } = useWords()
  return (
    <Screen title={notFound.title}>
      <Empty text={notFound.text}>
        <ButtonLink to="/">{notFound.home}</ButtonLink>
      </Empty>
    </Screen>
  )
}
