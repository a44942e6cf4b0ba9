/** What the dialog says that takes an import back, in Portuguese. */
import type { Counting } from '../counting.ts'
import type { Words } from '../words.ts'

export const takingBack = ({ number }: Pick<Counting, 'number'>): Words['takeBack'] => ({
  action: 'Desfazer',
  actionOf: (file: string) => `Desfazer a importação de ${file}`,
  title: 'Desfazer uma importação',
  what: 'O que a importação concedeu é encerrado. O que ela alterou volta ao valor anterior onde ainda está como ela deixou. Quem ela criou é excluído, a menos que algo tenha acontecido depois.',
  checking: 'Verificando o que aconteceria',
  running: 'Desfazendo a importação',
  stopHint: 'Se esta janela for fechada, o trabalho para. Dá para continuar mais tarde.',
  progress: 'Progresso',
  checked: 'Nada foi alterado ainda. Isto aconteceria:',
  done: 'A importação foi desfeita',
  doneBefore: (stays: string) => `Desfeita. Fica: ${stays}`,
  nothing: 'Não há nada para desfazer.',
  counts: {
    erased: 'Usuários excluídos',
    closed: 'Acessos encerrados',
    people: 'Usuários com os valores de antes',
    accesses: 'Acessos com os valores de antes',
    stays: 'O que fica',
  },
  noErase:
    'Esta função não pode excluir usuários. Os que a importação criou ficam, e os acessos deles são encerrados. Um operador com a função de administrador pode excluí-los.',
  typeToConfirm: (n: string) => `Digite ${n} para confirmar`,
  staysTitle: 'O que fica, e por quê',
  stays: {
    person_changed: 'Alguém alterou este usuário depois.',
    person_used: 'Alguém concedeu ou alterou um acesso depois, ou há progresso em algum.',
    no_right: 'Esta função não pode excluir usuários.',
    field_changed: (what: string) => `${what}: não está mais como a importação deixou.`,
    access_changed: (what: string) => `Acesso a ${what}: não está mais como a importação deixou.`,
    password: 'A senha: a anterior não pode ser lida.',
    rejected: (what: string) => `${what}: o serviço não aceita mais o valor anterior.`,
    uncompared: 'Os acessos: a importação não pôde lê-los antes de alterá-los.',
  },
  moreStays: (n: number) => `E mais ${number(n)}.`,
  old: 'Este registro é de uma versão anterior do console e não tem o que é preciso.',
  copies: 'Arquivos que alguém baixou e importações lembradas por outros navegadores ainda podem ter cópias.',
  number,
})
