{{/*
What the services are, as YAML: whether they serve HTTP to the public, whether pfq calls them (operated), whom they call and by
which variable they know where, what they reach outside the release (a name of networkPolicy.to), what of the Secret they read,
and what else they are told. Everything that is made for each service is made by a loop over this.
*/}}
{{- define "pfq.services" -}}
{{- $values := .Values -}}
{{- $collector := ternary "collector" "" (not (empty $values.telemetry.endpoint)) -}}
{{- $kafka := ternary "kafka" "" $values.kafka.enabled -}}
gateway:
  http: true
  database: true
  operated: true
  calls: { PRICING_URL: pricing, QUOTE_STORE_URL: quote-store, APPLICATION_URL: application }
  reaches: {{ compact (list "databases" $collector) | toJson }}
  secrets: [operatorToken, keyPepper, answerSecrets]
  variables:
    API_BASE_URL: {{ $values.public.apiUrl | quote }}
    HOSTED_BASE_URL: {{ $values.public.hostedUrl | quote }}
    DOCS_URL: {{ include "pfq.docsUrl" . | quote }}
    SERVE_DOCS: {{ $values.gateway.serveDocs | quote }}
    REQUEST_LOG_DAYS: {{ $values.gateway.requestLogDays | int | quote }}
pricing:
  http: false
  database: true
  operated: true
  calls: {}
  reaches: {{ compact (list "databases" $collector) | toJson }}
  secrets: [operatorToken]
  variables: {}
quote-store:
  http: false
  database: true
  operated: false
  calls: {{ ternary (dict) (dict "EVENTS_URL" "notification") $values.kafka.enabled | toJson }}
  reaches: {{ compact (list "databases" $kafka $collector) | toJson }}
  secrets: {{ compact (list "operatorToken" (ternary "eventsUrl" "" $values.kafka.enabled)) | toJson }}
  variables: {}
application:
  http: false
  database: true
  operated: true
  calls: {}
  reaches: {{ compact (list (ternary "mongodb" "databases" (eq $values.databases.application.engine "mongodb")) $collector) | toJson }}
  secrets: [operatorToken]
  variables: {}
notification:
  http: false
  database: true
  operated: true
  calls: { QUOTE_STORE_URL: quote-store }
  reaches: {{ compact (list "databases" "mail" $kafka $collector) | toJson }}
  secrets: {{ compact (list "operatorToken" "smtpUrl" (ternary "eventsUrl" "" $values.kafka.enabled)) | toJson }}
  variables:
    PORTAL_URL: {{ $values.public.portalUrl | quote }}
    MAIL_FROM: {{ $values.mail.from | quote }}
    SMTP_TLS: {{ $values.mail.tls | quote }}
    MAIL_GIVE_UP_AFTER_HOURS: {{ $values.notification.giveUpAfterHours | int | quote }}
hosted-page:
  http: true
  database: false
  operated: false
  calls: { QUOTE_STORE_URL: quote-store }
  reaches: {{ compact (list $collector) | toJson }}
  secrets: [operatorToken, reviewSecrets]
  variables:
    HOSTED_BASE_URL: {{ $values.public.hostedUrl | quote }}
    TRUSTED_PROXIES: {{ $values.hostedPage.trustedProxies | int | quote }}
{{- end }}

{{/* The variables of a service that are no secrets, as YAML: (list $ "quote-store" $service $settings). */}}
{{- define "pfq.variables" -}}
{{- $root := index . 0 }}{{ $name := index . 1 }}{{ $service := index . 2 }}{{ $settings := index . 3 -}}
{{- $values := $root.Values -}}
{{- $variables := dict
  "RPC_PORT" "9090"
  "OPERATIONS_PORT" "9464"
  "LOG_LEVEL" $values.logLevel
  "CONNECTION_AGE_MS" (toString (int $values.connectionAgeMs))
  "SHUTDOWN_DELAY_MS" (toString (int $values.shutdown.delayMs))
  "SHUTDOWN_TIMEOUT_MS" (toString (int $values.shutdown.timeoutMs))
  "OTEL_TRACES_SAMPLER_ARG" (include "pfq.ratio" $values.telemetry.sampleRatio)
-}}
{{- range $variable, $called := $service.calls }}{{ $_ := set $variables $variable (include "pfq.rpcUrl" (list $root $called)) }}{{ end -}}
{{- if $service.http }}{{ $_ := set $variables "HTTP_PORT" "8080" }}{{ end -}}
{{- if $service.database }}{{ $_ := set $variables "DATABASE_POOL_SIZE" (toString (int $settings.databasePoolSize)) }}{{ end -}}
{{- with $values.telemetry.endpoint }}{{ $_ := set $variables "OTEL_EXPORTER_OTLP_ENDPOINT" . }}{{ end -}}
{{- with $values.telemetry.resourceAttributes -}}
{{- $pairs := list -}}
{{- range $key, $value := . }}{{ $pairs = append $pairs (printf "%s=%s" $key (urlquery $value | replace "+" "%20")) }}{{ end -}}
{{- $_ := set $variables "OTEL_RESOURCE_ATTRIBUTES" (join "," $pairs) -}}
{{- end -}}
{{- if $values.mutualTls.enabled }}{{ $_ := set $variables "RPC_TLS_DIR" "/etc/pfq/tls" }}{{ end -}}
{{- if include "pfq.trusts" $root }}{{ $_ := set $variables "NODE_EXTRA_CA_CERTS" "/etc/pfq/trust/ca.crt" }}{{ end -}}
{{- toYaml (mergeOverwrite $variables (deepCopy $service.variables) (deepCopy (default dict $settings.environment))) }}
{{- end }}

{{/* A number from 0 to 1 in digits alone: 0.00001 would else be written as 1e-05. */}}
{{- define "pfq.ratio" -}}
{{- regexReplaceAll "\\.?0+$" (printf "%.6f" (float64 .)) "" | default "0" }}
{{- end }}

{{/* The secrets of a service as a list of { variable, secret, key }, as YAML: (list $ "quote-store" $service). */}}
{{- define "pfq.secretFiles" -}}
{{- $root := index . 0 }}{{ $name := index . 1 }}{{ $service := index . 2 -}}
{{- $files := list -}}
{{- range $service.secrets -}}
{{- $files = append $files (dict "variable" (snakecase . | upper) "secret" (include "pfq.secretName" $root) "key" (index $root.Values.secrets.keys .)) -}}
{{- end -}}
{{- if $root.Values.telemetry.hasHeaders -}}
{{- $files = append $files (dict "variable" "OTEL_EXPORTER_OTLP_HEADERS" "secret" (include "pfq.secretName" $root) "key" $root.Values.secrets.keys.otlpHeaders) -}}
{{- end -}}
{{- if $service.database -}}
{{- $place := include "pfq.databaseSecret" (list $root $name "key") | fromYaml -}}
{{- $files = append $files (dict "variable" "DATABASE_URL" "secret" $place.secret "key" $place.key) -}}
{{- end -}}
{{- toYaml $files }}
{{- end }}
