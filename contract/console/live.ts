/** The topics of `GET /console/api/live`: a page subscribes to those that it shows. */
export const liveTopics = ['orders', 'inbound', 'stock', 'products', 'callbacks', 'partners', 'audit'] as const;
export type LiveTopic = (typeof liveTopics)[number];

/** The data of the event `change`. */
export interface LiveChange {
  topics: LiveTopic[];
  /** The position that the page has seen now (`seenHeader`). Present only with a read replica. */
  seen?: string;
}
