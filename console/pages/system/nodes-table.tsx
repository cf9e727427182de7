import type { SystemNode } from '../../../contract/console/system.ts';
import { column, timeColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { useWords } from '../../kit/language.tsx';
import { plainRows } from '../../kit/plain-rows.ts';
import { Section } from '../../kit/section.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { StatusBadge } from '../../kit/status-badge.tsx';
import { words } from './words.ts';

export function NodesTable({ nodes }: { nodes: SystemNode[] }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const columns: Column<SystemNode>[] = [
    column('host', say.host, (node) => node.host, { alwaysShown: true }),
    column('pid', say.process, (node) => node.pid),
    column('status', shared.noun.status, (node) => (
      <StatusBadge tone={node.is_silent ? 'failed' : 'done'}>{node.is_silent ? say.silent : say.alive}</StatusBadge>
    )),
    column('role', say.nodeRole, (node) => say.role[node.role]),
    column('version', say.nodeVersion, (node) => node.version),
    timeColumn('started', say.started, (node) => node.started_at),
    timeColumn('seen', say.seen, (node) => node.seen_at),
  ];
  return (
    <Section title={say.nodes} flush>
      <DataTable
        bare
        name="system-nodes"
        label={say.nodes}
        columns={columns}
        list={plainRows(nodes, (node) => node.node_id)}
        rowName={(node) => `${node.host} ${node.pid}`}
        empty={<EmptyState title={say.nodesNone} hint={say.nodesNoneHint} />}
      />
    </Section>
  );
}
