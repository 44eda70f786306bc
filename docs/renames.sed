# Copyright 2026 The Mainstem authors
# SPDX-License-Identifier: Apache-2.0
#
# Gives C sources written for 0.10 the names of 0.11 (GNU sed):
#
#     sed -E -i -f docs/renames.sed src/*.c src/*.h
#
# What is left, the compiler names: docs/renames.md lists it.
s/\bmainstem_activity\b/mainstem_request_count/g
s/\bmainstem_binding_point\b/mainstem_binding_retarget/g
s/\bmainstem_bool\b/mainstem_event_bool/g
s/\bmainstem_catalogue_add\b/mainstem_types_add/g
s/\bmainstem_catalogue_row\b/mainstem_type_row/g
s/\bmainstem_context_event\b/mainstem_callback_position/g
s/\bmainstem_context_replaying\b/mainstem_context_is_replaying/g
s/\bmainstem_context_stats\b/mainstem_context_stats_read/g
s/\bmainstem_stats\b/mainstem_context_stats/g
s/\bmainstem_drain_records\b/mainstem_mailbox_take/g
s/\bmainstem_header\b/mainstem_event_header/g
s/\bmainstem_integer\b/mainstem_event_integer/g
s/\bmainstem_model_add\b/mainstem_viewmodel_add/g
s/\bmainstem_model_row\b/mainstem_viewmodel_row/g
s/\bmainstem_navigator_match\b/mainstem_event_match/g
s/\bmainstem_number\b/mainstem_event_number/g
s/\bmainstem_owner_open\b/mainstem_instance_open/g
s/\bmainstem_serial_add\b/mainstem_scheduler_add/g
s/\bmainstem_show\b/mainstem_component_info/g
s/\bmainstem_subscription_ask\b/mainstem_subscription_demand/g
s/\bmainstem_text\b/mainstem_value_text/g
s/\bproves_until\b/verified_until/g
s/\bMAINSTEM_COMMAND\b/MAINSTEM_VIEWMODEL_COMMAND/g
s/\bMAINSTEM_CONFIRM\b/MAINSTEM_OBSERVE_CONFIRM/g
s/\bMAINSTEM_DIFFERENCE_SURPLUS\b/MAINSTEM_DIFFERENCE_EXTRA/g
s/\bMAINSTEM_GUARD_AFTER\b/MAINSTEM_GUARD_OPEN_FIRST/g
s/\bMAINSTEM_GUARD_GO\b/MAINSTEM_GUARD_ALLOW/g
s/\bMAINSTEM_JOURNAL_GO_ON\b/MAINSTEM_JOURNAL_CONTINUE_UNRECORDED/g
s/\bMAINSTEM_PULSES\b/MAINSTEM_VIEWMODEL_PULSE/g
s/\bMAINSTEM_SHOWS\b/MAINSTEM_VIEWMODEL_VALUE/g
s/\bMAINSTEM_WRITABLE\b/MAINSTEM_VIEWMODEL_WRITABLE/g
