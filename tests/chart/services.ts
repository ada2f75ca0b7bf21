/** The services, sorted; the chart is held against these names, not against its own. */
export const SERVICES = ['application', 'gateway', 'hosted-page', 'notification', 'pricing', 'quote-store'];
export const WITH_A_DATABASE = SERVICES.filter((service) => service !== 'hosted-page');
/** Those that serve HTTP to the public. */
export const PUBLIC = ['gateway', 'hosted-page'];
/** Those that pfq asks. */
export const OPERATED = ['application', 'gateway', 'notification', 'pricing'];
export const [HTTP_PORT, RPC_PORT, OPERATIONS_PORT] = [8080, 9090, 9464];
