import { Button, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { ArrowLeftIcon, PencilIcon, TrashIcon } from '@primer/octicons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { toFailure } from '../../api/failure.ts'
import { AskAdmin } from '../../parts/ask-admin.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { TextLink } from '../../parts/links.tsx'
import { Screen } from '../../parts/screen.tsx'
import { useSession } from '../../session.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import { AccessesOfUser } from './accesses-of-user.tsx'
import { EditUser } from './edit-user.tsx'
import { EraseUser } from './erase-user.tsx'
import { Erased } from './erased.tsx'
import { Profile } from './profile.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PersonDownload } from './person-download.tsx'
import { readUser, type UserWithEtag } from './read-user.ts'

export function UserScreen() {
  const words = useWords()
  const { can } = useSession()
  const store = useStore()
  const { id = '' } = useParams({ strict: false })
  const { data, error, refetch } = useQuery({ queryKey: ['user', store, id], queryFn: () => readUser(store, id) })
  const { user } = words
  // After an erasure, what was read before is still there.
  const isGone = toFailure(error).status === 404
  return (
    <Screen
      title={data && !isGone ? `${data.body.name} ${data.body.last_name}` : user.title}
      actions={data && !isGone && <Actions state={data} />}
    >
      <TextLink to="/s/$store/users" params={{ store }} size="sm" mt={-12} w="fit-content">
        <ArrowLeftIcon size={14} aria-hidden verticalAlign="middle" /> {user.back}
      </TextLink>
      {error && !isGone && <FailureNote error={error} retry={() => void refetch()} />}
      {isGone && <Erased id={id} error={error} />}
      {data && !isGone && (
        <Stack gap="xl">
          <Profile user={data.body} />
          {!can('users:erase') && <AskAdmin text={user.askToErase} />}
          <AccessesOfUser key={id} user={data.body} />
        </Stack>
      )}
      {!data && !error && <Loading />}
    </Screen>
  )
}

function Actions({ state }: { state: UserWithEtag }) {
  const { common, user } = useWords()
  const { can } = useSession()
  const [isEditing, editing] = useDisclosure()
  const [isErasing, erasing] = useDisclosure()
  return (
    <>
      {can('users:write') && (
        <Button variant="default" leftSection={<PencilIcon size={16} aria-hidden />} onClick={editing.open}>
          {common.edit}
        </Button>
      )}
      {can('users:erase') && (
        <Button variant="default" leftSection={<TrashIcon size={16} aria-hidden />} onClick={erasing.open}>
          {user.erase}
        </Button>
      )}
      <PersonDownload user={state.body} />
      <EditUser state={state} isOpen={isEditing} onClose={editing.close} />
      <EraseUser state={state} isOpen={isErasing} onClose={erasing.close} />
    </>
  )
}
