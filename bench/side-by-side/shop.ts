import type { Figures } from '../figures.ts';
import type { Recipe } from './purchase.ts';

/** A running service with products and stock. */
export interface Shop {
  name: string;
  version: string;
  port: number;
  ways: Way[];
  /** The settings of its PostgreSQL. */
  settings: Figures;
  /** The processes whose time an order takes. */
  processes: ShopProcesses;
  /** Placed orders in its database. */
  countOrders(): Promise<number>;
  /** Units of these skus in placed orders. */
  countSold(skuIds: string[]): Promise<number>;
  /** The last lines of its log. */
  log(): string;
}

export interface ShopProcesses {
  service: number;
  postmaster: number;
}

/** One of several ways to make an order in the same shop. */
export interface Way {
  /** The difference from the other ways of the shop; empty for the usual way. */
  name: string;
  /** `numbersBeginWith`: for services in which the caller numbers orders. */
  recipe(numbersBeginWith: string): Recipe;
}

export interface StockedSku {
  skuId: string;
  qty: number;
}
