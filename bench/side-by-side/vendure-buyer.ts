import {
  type Buy,
  emailOf,
  failed,
  type Purchase,
  post,
  recipient,
  type Send,
  type VendureRecipe,
} from './purchase.ts';

const path = '/shop-api';
const tokenHeader = /\r\nvendure-auth-token: *(\S+)/i;

/** The mutations of a guest checkout in their order, with the parameters that each needs. */
const mutations = [
  {
    parameters: '$variant: ID!',
    field: 'addItemToOrder(productVariantId: $variant, quantity: 1)',
  },
  {
    parameters: '$customer: CreateCustomerInput!',
    field: 'setCustomerForOrder(input: $customer)',
  },
  {
    parameters: '$address: CreateAddressInput!',
    field: 'setOrderShippingAddress(input: $address)',
  },
  {
    parameters: '$shippingMethods: [ID!]!',
    field: 'setOrderShippingMethod(shippingMethodId: $shippingMethods)',
  },
  {
    parameters: '',
    field: 'transitionOrderToState(state: "ArrangingPayment")',
  },
  {
    parameters: '$payment: PaymentInput!',
    field: 'addPaymentToOrder(input: $payment)',
  },
];
const selected = '{ __typename ... on Order { id state } ... on ErrorResult { errorCode message } }';
const withReason = '... on OrderStateTransitionError { transitionError }';

function documentOf(chosen: typeof mutations): string {
  const parameters = chosen.map((mutation) => mutation.parameters).filter((text) => text !== '');
  const fields = chosen.map(({ field }) => {
    const selection = field.startsWith('transition') ? `${selected.slice(0, -1)}${withReason} }` : selected;
    return `${field} ${selection}`;
  });
  return `mutation${parameters.length === 0 ? '' : `(${parameters.join(', ')})`} { ${fields.join(' ')} }`;
}

/** Each document is sent in a request of its own. */
const documents = {
  'one by one': mutations.map((mutation) => documentOf([mutation])),
  together: [documentOf(mutations)],
};

interface MutationResult {
  __typename: string;
  state?: string;
  errorCode?: string;
  transitionError?: string;
}

interface GraphResponse {
  data: Record<string, MutationResult | null> | null;
  errors?: unknown[];
}

/** A guest checkout. Every order is a session of its own, which begins without a token. */
export function makeVendureBuyer(recipe: VendureRecipe, send: Send, buyer: number): Buy {
  const sent = documents[recipe.mutations];
  const constant = {
    customer: { emailAddress: emailOf(buyer), firstName: recipient.firstName, lastName: recipient.lastName },
    address: {
      fullName: `${recipient.firstName} ${recipient.lastName}`,
      streetLine1: recipient.street,
      city: recipient.city,
      postalCode: recipient.zip,
      countryCode: 'TW',
      phoneNumber: recipient.phone,
    },
    shippingMethods: [recipe.shippingMethodId],
    payment: { method: 'dummy', metadata: {} },
  };
  return async (skuId) => {
    const variables = { ...constant, variant: recipe.variantIds[skuId] };
    let token: string | undefined;
    let state = '';
    for (const query of sent) {
      const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const reply = await post(send, path, { query, variables }, headers);
      token ??= tokenHeader.exec(reply.head)?.[1];
      const { data, errors } = reply.body as GraphResponse;
      if (errors || !data) return failed('shop-api', reply);
      const stopped = outcomeOfErrors(Object.values(data));
      if (stopped) return stopped;
      state = Object.values(data).at(-1)?.state ?? '';
    }
    return state === 'PaymentSettled' ? { kind: 'accepted' } : { kind: 'failed', reason: `the order is ${state}` };
  };
}

/** The first error decides; mutations after it cannot succeed. null if there is none. */
export function outcomeOfErrors(results: (MutationResult | null)[]): Purchase | null {
  const error = results.find((result) => result === null || result.errorCode !== undefined);
  if (error === undefined) return null;
  const lacksStock = error?.errorCode === 'INSUFFICIENT_STOCK_ERROR' || /stock/i.test(error?.transitionError ?? '');
  return lacksStock ? { kind: 'refused' } : { kind: 'failed', reason: JSON.stringify(error) };
}
