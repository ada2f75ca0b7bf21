{{/* What is wrong with addresses among the values, as a list of lines that say what to set. */}}
{{- define "pfq.problemsOfAddresses" -}}
{{- $values := .Values }}
{{- $problems := list }}
{{- $public := $values.public }}

{{- range $name, $address := dict "public.apiUrl" $public.apiUrl "public.hostedUrl" $public.hostedUrl "public.docsUrl" $public.docsUrl "public.portalUrl" $public.portalUrl "telemetry.endpoint" $values.telemetry.endpoint }}
{{- if regexMatch "^https?://[^/]*@" $address }}
{{- $instead := ternary "leave them out, and give headers by telemetry.hasHeaders" "leave them out" (eq $name "telemetry.endpoint") }}
{{- $problems = append $problems (printf "%s must hold neither user nor password, which everyone could read: %s" $name $instead) }}
{{- end }}
{{- end }}

{{- $routed := dict }}
{{- if or $values.httpRoute.enabled $values.ingress.enabled }}
{{- $routed = dict "public.apiUrl" $public.apiUrl "public.hostedUrl" $public.hostedUrl "public.docsUrl" (ternary $public.docsUrl "" $values.gateway.serveDocs) }}
{{- end }}
{{- range $name, $address := $routed }}
{{- $host := include "pfq.hostOf" $address }}
{{- $isName := regexMatch "^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$" $host }}
{{- if and $address (or (not $isName) (regexMatch "^[0-9.]+$" $host)) }}
{{- $problems = append $problems (printf "%s is at %s, and httpRoute and ingress know names of DNS alone, such as api.agency.example: give one, or disable both" $name $host) }}
{{- end }}
{{- end }}

{{- if and $values.networkPolicy.enabled $values.telemetry.endpoint }}
{{- $endpoint := $values.telemetry.endpoint }}
{{- $port := regexReplaceAll "^https?://(?:[^/@]*@)?(?:\\[[^\\]]*\\]|[^/:]*):?([0-9]*).*$" $endpoint "${1}" | default (ternary "443" "80" (hasPrefix "https:" $endpoint)) }}
{{- $isOpen := false }}
{{- range $values.networkPolicy.ports.collector }}{{ $isOpen = or $isOpen (eq (int .) (int $port)) }}{{ end }}
{{- if not $isOpen }}
{{- $problems = append $problems (printf "networkPolicy.ports.collector must hold %s, the port of telemetry.endpoint, or the chart's own policies keep telemetry from it, though another may let it out: [%s]" $port $port) }}
{{- end }}
{{- end }}

{{- range ternary (splitList "," $values.keda.bootstrapServers) list $values.keda.enabled }}
{{- if and (trim .) (not (regexMatch "^([A-Za-z0-9-]+([.][A-Za-z0-9-]+)+[.]?|\\[[0-9A-Fa-f:.]+\\]):[0-9]+$" (trim .))) }}
{{- $problems = append $problems (printf "keda.bootstrapServers: KEDA looks for %q from its own namespace. Give host, namespace and port, such as kafka-kafka-bootstrap.kafka.svc:9093" (trim .)) }}
{{- end }}
{{- end }}
{{- toYaml $problems }}
{{- end }}
