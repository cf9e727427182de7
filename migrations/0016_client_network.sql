-- Networks from which clients have shown their CheckValue: while others guess at a client's CheckValue, it still gets tokens from there, on every node.
create table client_network (
  client_id text not null references client,
  network text not null,
  last_success_at timestamptz not null default now(),
  primary key (client_id, network)
);
