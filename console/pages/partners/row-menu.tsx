import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconKey, IconPencil, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import type { SecretFacts } from '../../../contract/console/partners.ts';
import { useWords } from '../../kit/language.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import type { PartnerDialog, PartnerDialogs } from './partner-dialogs.tsx';
import type { Switchable } from './switch-dialog.tsx';
import { words } from './words.ts';

export interface RowMenuProps {
  /** The display name. */
  name: string;
  dialogs: PartnerDialogs;
  edit?: PartnerDialog;
  secrets?: SecretFacts[];
  /** The account of the secrets, which can then be handed over by a link. */
  accountNo?: string;
  /** Set if the partner can be disabled and enabled. */
  target?: Switchable;
  enabled?: boolean;
}

/** The actions of an administrator on a partner. */
export function RowMenu({ name, dialogs, edit, secrets = [], accountNo, target, enabled = true }: RowMenuProps) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={say.more(name)}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {edit && (
          <Menu.Item leftSection={<IconPencil size={15} />} onClick={() => dialogs.open(edit)}>
            {shared.verb.edit}
          </Menu.Item>
        )}
        {secrets
          .filter(({ since }) => since !== null)
          .map((secret) => (
            <Menu.Item
              key={secret.kind}
              leftSection={<IconKey size={15} />}
              onClick={() => dialogs.open({ kind: 'rotate', secret, accountNo })}
            >
              {say.rotate(say.secretInText[secret.kind])}
            </Menu.Item>
          ))}
        {target && (
          <Menu.Item
            leftSection={enabled ? <IconPlayerPause size={15} /> : <IconPlayerPlay size={15} />}
            onClick={() => dialogs.open({ kind: 'switch', target, enables: !enabled })}
          >
            {enabled ? say.disable : say.enable}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
