/** Where a tap leads until the quote says that the email was sent. `hop` is what is between quote store and notification. */
export const tapEdges = (hop: string): readonly string[] =>
  [
    'hosted-page → quote-store: HostedQuoteService/ReadHostedQuote',
    'hosted-page → quote-store: HostedQuoteService/ExpressInterest',
    `quote-store → notification: ${hop}`,
    'notification → quote-store: QuoteStoreService/RecordBrokerNotification',
  ].sort();
